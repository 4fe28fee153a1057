import Foundation
import Testing

/// Texts that a reviewer has read; `GOLDEN_UPDATE=1` writes them anew.
enum Golden {
    /// Compares a text with the file of this name, below the lines that say what it follows.
    static func check(_ text: String, _ name: String, follows: String, file: String = #filePath)
        throws
    {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
            .appendingPathComponent("Golden")
        let place = folder.appendingPathComponent(name)
        let header = follows.split(separator: "\n").map { "# \($0)\n" }.joined()
        if ProcessInfo.processInfo.environment["GOLDEN_UPDATE"] == "1" {
            try (header + text).write(to: place, atomically: true, encoding: .utf8)
        }
        let expected = try String(contentsOf: place, encoding: .utf8)
        let isEqual = expected == header + text
        #expect(isEqual, "\(name) differs; run with GOLDEN_UPDATE=1 and read the difference")
    }
}
