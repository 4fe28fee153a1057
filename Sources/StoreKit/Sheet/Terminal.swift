import CStoreKit
import Foundation
import Glibc

/// The customer's terminal: lines out, lines in.
final class Terminal {
    static let lineBytesMax = 1_024

    private let file: Int32

    /// Nil when the process has no terminal.
    init?(path: String = "/dev/tty") {
        file = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        if file < 0 { return nil }
    }

    deinit {
        close(file)
    }

    func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count == 0 || errno != EINTR {
                return
            }
        }
    }

    /// One line without its line break; nil when the input was closed.
    func readLine() -> String? {
        var line: [UInt8] = []
        while line.count < Self.lineBytesMax {
            guard let byte = readByte() else { return line.isEmpty ? nil : text(line) }
            if byte == 0x0A || byte == 0x0D { return text(line) }
            line.append(byte)
        }
        return text(line)
    }

    /// One line that is not echoed; nil when the input was closed or Ctrl-C was pressed.
    ///
    /// Keyboard signals are off meanwhile. The terminal is also restored when the process ends at
    /// the prompt, by `exit` or by a signal.
    func readSecret() -> String? {
        guard __storekit_terminal_hide(file) == 0 else { return nil }
        defer {
            __storekit_terminal_show()
            write("\n")
        }
        var line: [UInt8] = []
        while let byte = readByte(), line.count < Self.lineBytesMax {
            // A signal has restored the terminal: anything typed now would be visible.
            guard __storekit_terminal_is_hidden() != 0 else { return nil }
            switch byte {
            case 0x0A, 0x0D: return text(line)
            case 0x03: return nil
            case 0x04: return line.isEmpty ? nil : text(line)
            case 0x08, 0x7F: dropLastCharacter(&line)
            default: line.append(byte)
            }
        }
        return nil
    }

    private func dropLastCharacter(_ line: inout [UInt8]) {
        while let last = line.popLast(), last & 0xC0 == 0x80 {}
    }

    private func readByte() -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = read(file, &byte, 1)
            if count == 1 { return byte }
            if count == 0 || errno != EINTR { return nil }
        }
    }

    private func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
