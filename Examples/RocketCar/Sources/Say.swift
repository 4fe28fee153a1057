import Foundation

/// Lines for whoever runs the app: events on standard output, problems on standard error.
enum Say {
    /// Writes one event immediately, so that a crash loses none.
    static func event(_ words: String...) {
        write(words.joined(separator: " "), to: .standardOutput)
    }

    static func news(_ news: News) {
        if case .trouble(let sentence) = news { return trouble(sentence) }
        write(news.line, to: .standardOutput)
    }

    static func trouble(_ sentence: String) {
        write("RocketCar: \(sentence)", to: .standardError)
    }

    private static func write(_ line: String, to file: FileHandle) {
        let tidy = line.replacingOccurrences(of: "\n", with: " ")
        file.write(Data((tidy + "\n").utf8))
    }
}
