import Foundation
import Testing

/// The files of this package, read from where its sources stand.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    /// A file with its path below the root.
    struct File: CustomTestStringConvertible, Sendable {
        let path: String
        let text: String
        /// The lines without comments and strings; none for a file that is not Swift.
        let code: [Substring]

        init(path: String, text: String) {
            self.path = path
            self.text = text
            code = path.hasSuffix(".swift") ? SwiftText(text).lines : []
        }

        var lines: [Substring] {
            text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                .map { Substring($0) }
        }
        var testDescription: String { path }
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.path + "/" + path)
    }

    static func file(_ path: String) throws -> File {
        guard let data = FileManager.default.contents(atPath: root.path + "/" + path) else {
            throw Missing(description: "there is no file \(path) in \(root.path)")
        }
        return File(path: path, text: String(decoding: data, as: UTF8.self))
    }

    /// Every file below a folder whose name ends so, without what tools put there; throws when
    /// there is none, so that no check passes for want of anything to look at.
    static func files(below folder: String, ending: String) throws -> [File] {
        let start = folder.isEmpty ? root.path : root.path + "/" + folder
        guard let paths = FileManager.default.enumerator(atPath: start) else {
            throw Missing(description: "there is no folder \(folder) in \(root.path)")
        }
        var found: [File] = []
        for case let path as String in paths {
            if folder.isEmpty, path.hasPrefix(".") {
                paths.skipDescendants()
            } else if path.hasSuffix(ending) {
                found.append(try file(folder.isEmpty ? path : folder + "/" + path))
            }
        }
        guard !found.isEmpty else {
            throw Missing(description: "no file below \(folder) ends in \(ending)")
        }
        return found.sorted { $0.path < $1.path }
    }

    /// The Swift files of the product and its example.
    static func sources() throws -> [File] { try read.get() }

    /// Read once for all tests.
    private static let read = Result {
        try files(below: "Sources", ending: ".swift") + files(below: "Examples", ending: ".swift")
    }
}
