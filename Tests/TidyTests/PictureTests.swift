import Foundation
import Testing

/// The pictures that `scripts/pictures` draws, and that of the notifications.
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

    @Test func `the notifications picture has every type in the table, and no other`() throws {
        let page = try Repository.file("docs/notifications.md").lines
        let section = page.drop { $0 != "## Types" }.dropFirst().prefix { !$0.hasPrefix("## ") }
        let rows = section.filter { $0.hasPrefix("|") }
        let listed = Set(
            rows.flatMap { $0.matches(of: /`([A-Z_]+)`/).map { String($0.1) } })
        let picture = try Repository.file("docs/images/notifications.svg").text
        let drawn = Set(picture.matches(of: /[A-Z_]{4,}/).map { String($0.0) })
        // A test reports nothing that happened to a purchase.
        #expect(drawn == listed.subtracting(["TEST"]))
    }
}
