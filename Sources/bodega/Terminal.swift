import Foundation
import Glibc
import StoreLog
import StoreWire

/// Standard output and error, with colours only on a terminal. Hidden characters are escaped, since
/// much of what is printed came from clients.
enum Terminal {
    /// Whether commands print nothing, because another command runs them.
    @TaskLocal static var isSilent = false

    static func print(_ text: String, as form: VisibleText.Form = .text) {
        guard !isSilent else { return }
        FileHandle.standardOutput.write(Data((VisibleText.of(text, as: form) + "\n").utf8))
    }

    /// Prints the bytes of a file for programs unchanged, except on a terminal.
    static func print(file: [UInt8]) {
        guard isatty(1) == 1 else { return FileHandle.standardOutput.write(Data(file)) }
        print(String(decoding: file, as: UTF8.self).replacing("\r\n", with: "\n"), as: .json)
    }

    /// The terminal's columns; nil when the output goes elsewhere.
    static var width: Int? {
        guard isatty(1) == 1 else { return nil }
        if let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap(Int.init),
            columns > 0
        {
            return columns
        }
        var size = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    static func note(_ text: String, as form: VisibleText.Form = .text) {
        FileHandle.standardError.write(Data((VisibleText.of(text, as: form) + "\n").utf8))
    }

    /// Reports progress on standard error: on a terminal, each report replaces the last; elsewhere
    /// a line every ten seconds, unless a program reads it (`--json`).
    struct Progress {
        private static let interval = Duration.seconds(10)
        private let isSeen = isatty(2) == 1
        private let isForPrograms: Bool
        private var due = ContinuousClock.now + interval

        init(_ arguments: Arguments) {
            isForPrograms = arguments.has("json")
        }

        mutating func say(_ text: String) {
            if isSeen {
                let line = "\r\u{1B}[K" + VisibleText.of(text, isOneLine: true)
                return FileHandle.standardError.write(Data(line.utf8))
            }
            guard !isForPrograms, ContinuousClock.now >= due else { return }
            due = .now + Self.interval
            note(text)
        }

        /// Clears the line on a terminal.
        func end() {
            if isSeen { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
        }
    }

    /// The answer to a yes-or-no question; nil when nobody can be asked.
    static func agreement(to question: String) -> Bool? {
        guard isatty(0) == 1, isatty(2) == 1 else { return nil }
        FileHandle.standardError.write(Data("\(VisibleText.of(question)) [y/N] ".utf8))
        return ["y", "yes"].contains(readLine()?.lowercased())
    }

    /// Ends the program with an error: a sentence, or with `--json` an object like the servers'.
    static func fail(_ error: ErrorBody, asJSON isJSON: Bool, exitCode: Int32) -> Never {
        if isJSON, let bytes = try? WireJSON.encode(error) {
            note(String(decoding: bytes, as: UTF8.self), as: .json)
            exit(exitCode)
        }
        let isTerminal = isatty(2) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
        let mark = isTerminal ? "\u{1B}[31merror:\u{1B}[0m" : "error:"
        let message = VisibleText.of(error.error.message)
        FileHandle.standardError.write(Data("bodega: \(mark) \(message)\n".utf8))
        exit(exitCode)
    }

    /// Reads a password without showing it; from a pipe, the first line.
    static func readPassword(_ prompt: String) -> String? {
        guard isatty(0) == 1 else { return readLine() }
        FileHandle.standardError.write(Data(VisibleText.of(prompt).utf8))
        var settings = termios()
        tcgetattr(0, &settings)
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(0, TCSAFLUSH, &silent)
        // Ctrl-C must not leave the terminal without echo.
        signal(SIGINT, SIG_IGN)
        let interrupt = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        let before = settings
        interrupt.setEventHandler {
            var shown = before
            tcsetattr(0, TCSAFLUSH, &shown)
            exit(130)
        }
        interrupt.resume()
        defer {
            interrupt.cancel()
            signal(SIGINT, SIG_DFL)
            tcsetattr(0, TCSAFLUSH, &settings)
            note("")
        }
        return readLine()
    }

    /// A table with aligned columns; cells are cut to fit the terminal.
    static func table(_ header: [String], _ rows: [[String]]) -> String {
        let all = [header] + rows.map { $0.map { VisibleText.of($0, isOneLine: true) } }
        let whole = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        let most = width ?? .max
        let widths = narrowed(whole, to: most, all)
        return all.map { row in
            zip(row, widths).map { cell, width in
                let cell = cut(cell, to: width)
                return cell + String(repeating: " ", count: width - cell.count)
            }.joined(separator: "  ").trimmingCharacters(in: .whitespaces)
        }.joined(separator: "\n")
    }

    /// Narrows the widest text columns. Numbers, dates and identifiers stay, and so does the first
    /// column: other commands need them. A line that is still too long wraps.
    private static func narrowed(_ whole: [Int], to most: Int, _ rows: [[String]]) -> [Int] {
        let text = whole.indices.dropFirst().filter { column in
            !rows.dropFirst().contains {
                $0[column].contains(where: \.isNumber) && !$0[column].contains(" ")
            }
        }
        var widths = whole
        for widthMin in [6, 1] {
            while widths.reduce(2 * (widths.count - 1), +) > most,
                let widest = text.max(by: { widths[$0] < widths[$1] }), widths[widest] > widthMin
            {
                widths[widest] -= 1
            }
        }
        return widths
    }

    private static func cut(_ text: String, to most: Int) -> String {
        text.count <= most ? text : text.prefix(max(0, most - 1)) + "…"
    }
}
