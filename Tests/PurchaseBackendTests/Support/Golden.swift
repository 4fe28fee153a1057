import Foundation
import StoreHTTP
import Testing

/// Compares a text with the golden file of that name.
func expectGolden(
    _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Golden/\(name).txt")
    if ProcessInfo.processInfo.environment["GOLDEN_UPDATE"] == "1" {
        try (text + "\n").write(to: file, atomically: true, encoding: .utf8)
        return
    }
    let golden = try String(contentsOf: file, encoding: .utf8)
    #expect(text + "\n" == golden, "\(name)", sourceLocation: sourceLocation)
}

extension HTTPResponse {
    /// Status, headers and body, a line each.
    var transcript: String {
        let lines = headers.fields.map { "\($0.name): \($0.value)" }
        return (["\(status)"] + lines + [text]).joined(separator: "\n")
    }

    var text: String { String(decoding: body, as: UTF8.self) }
}
