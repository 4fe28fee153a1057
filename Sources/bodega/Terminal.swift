import Foundation
import Glibc
import StoreWire

/// Standard output and error, with colours only where a person looks.
enum Terminal {
    static func print(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }

    /// How many columns a person sees; nil where the output goes elsewhere.
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

    static func note(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    /// Says how far something is, where a person looks; each time in the place of the last.
    static func progress(_ text: String) {
        guard isatty(2) == 1 else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
    }

    /// Ends the program with an error: a sentence, or with `--json` an object as servers answer it.
    static func fail(_ error: ErrorBody, asJSON isJSON: Bool, exitCode: Int32) -> Never {
        if isJSON, let bytes = try? WireJSON.encode(error) {
            note(String(decoding: bytes, as: UTF8.self))
            exit(exitCode)
        }
        let isTerminal = isatty(2) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
        let mark = isTerminal ? "\u{1B}[31merror:\u{1B}[0m" : "error:"
        note("bodega: \(mark) \(error.error.message)")
        exit(exitCode)
    }

    /// Reads a password without showing it; from a pipe, the first line.
    static func readPassword(_ prompt: String) -> String? {
        guard isatty(0) == 1 else { return readLine() }
        FileHandle.standardError.write(Data(prompt.utf8))
        var settings = termios()
        tcgetattr(0, &settings)
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(0, TCSAFLUSH, &silent)
        // Ctrl-C must not leave the terminal silent.
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

    /// A table with aligned columns.
    static func table(_ header: [String], _ rows: [[String]]) -> String {
        let all = [header] + rows
        let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
                .joined(separator: "  ").trimmingCharacters(in: .whitespaces)
        }.joined(separator: "\n")
    }
}
