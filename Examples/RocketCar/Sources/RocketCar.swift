import Foundation
import StoreKit

/// RocketCar, a game for the terminal that sells a turbo, fuel and more.
@main enum RocketCar {
    static func main() {
        let garage: Garage
        let command: Command
        do {
            command = try Command(arguments: Array(CommandLine.arguments.dropFirst()))
            if command.verb == .help { return print(Command.help) }
            garage = try Garage(environment: ProcessInfo.processInfo.environment)
        } catch {
            Say.trouble("\(error)")
            exit(2)
        }
        let session = Session(command: command, garage: garage)
        exit(session.run())
    }
}

/// Lines for whoever runs the app: events on standard output, troubles on standard error.
enum Say {
    /// Writes one event, at once, so that a crash loses none.
    static func event(_ words: String...) {
        write(words.joined(separator: " "), to: .standardOutput)
    }

    static func trouble(_ sentence: String) {
        write("RocketCar: \(sentence)", to: .standardError)
    }

    private static func write(_ line: String, to file: FileHandle) {
        let tidy = line.replacingOccurrences(of: "\n", with: " ")
        file.write(Data((tidy + "\n").utf8))
    }
}
