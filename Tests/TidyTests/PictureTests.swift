import Foundation
import Testing

/// The pictures that `scripts/pictures` draws.
@Suite struct PictureTests {
    @Test func `every lifecycle picture matches its text`() throws {
        let process = Process()
        process.executableURL = Repository.root.appendingPathComponent("scripts/pictures")
        process.arguments = ["--check"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
    }

    @Test func `every lifecycle picture is shown on a page`() throws {
        let pages = try Repository.files(below: "docs/lifecycle", ending: ".md")
        let texts = try Repository.files(below: "docs/images/lifecycle", ending: ".txt")
        for text in texts {
            let name = text.path.replacing(/^.*\/|\.txt$/, with: "")
            #expect(pages.contains { $0.text.contains("/lifecycle/\(name).svg)") }, "\(name)")
        }
    }
}
