import Foundation
import Testing

/// The pages: short where they must be, and no link that leads nowhere.
@Suite struct DocumentTests {
    static let readmeLinesMax = 149

    @Test func `the README is short`() throws {
        let readme = try Repository.file("README.md")
        #expect(readme.lines.count - 1 <= Self.readmeLinesMax)
    }

    @Test func `every link on every page leads somewhere`() throws {
        let pages = try Repository.files(below: "", ending: ".md")
        #expect(pages.contains { $0.path == "README.md" })
        #expect(try pages.flatMap(Self.brokenLinks) == [])
    }

    @Test func `every decision and every page in docs is linked from another page`() throws {
        let pages = try Repository.files(below: "", ending: ".md")
        for page in pages where page.path.hasPrefix("docs/") {
            let name = (page.path as NSString).lastPathComponent
            #expect(
                pages.contains { $0.path != page.path && $0.text.contains("\(name)") },
                "\(page.path)")
        }
    }

    @Test(arguments: [
        (command: "transaction revoke", needs: "--reason"),
        ("product (?:approve|reject|hold|remove|prices?)", "--bundle-id"),
    ])
    func `a command on a page has the options that it needs`(command: String, needs: String) throws
    {
        let pattern = try Regex("(?m)^ +bodega \(command) (?:.*\\\\\n)*.*$")
        let found = try Repository.files(below: "docs", ending: ".md")
            // Which leaves --bundle-id out, and says so.
            .filter { $0.path != "docs/shop.md" || needs != "--bundle-id" }
            .flatMap { page in page.text.matches(of: pattern).map { page.text[$0.range] } }
        #expect(!found.isEmpty)
        #expect(found.filter { !$0.contains(needs) } == [])
    }

    @Test(arguments: [
        "[a](docs/nowhere.md)", "![a](images/nowhere.svg)", "[a](README.md#no-such-heading)",
        "<img src=\"docs/nowhere.svg\">",
    ])
    func `a broken link is found`(text: String) throws {
        #expect(try Self.brokenLinks(.init(path: "PAGE.md", text: text)).count == 1)
    }

    @Test(arguments: [
        "[a](https://example.com/nowhere)", "`[a](nowhere.md)`", "[a](LICENSE)",
        "[a](#b-c)\n## B, c",
        "```\n[a](nowhere.md)\n```",
    ])
    func `a good link is accepted`(text: String) throws {
        #expect(try Self.brokenLinks(.init(path: "PAGE.md", text: text)) == [])
    }

    // MARK: -

    static func brokenLinks(_ page: Repository.File) throws -> [String] {
        let text = prose(page.text)
        let targets =
            text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
            + text.matches(of: /(?:src|srcset|href)="([^"]+)"/).map { String($0.1) }
        return try targets.filter { try !leadsSomewhere($0, from: page) }
            .map { "\(page.path): \($0)" }
    }

    /// A page without its code, which may show links that are none.
    private static func prose(_ text: String) -> String {
        text.replacing(/(?m)^```[^\n]*\n(?:.*\n)*?```$/, with: "").replacing(/`[^`\n]*`/, with: "")
    }

    private static func leadsSomewhere(
        _ target: String, from page: Repository.File
    ) throws -> Bool {
        if target.contains(/^[a-z]+:/) { return true }
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        var other = page
        if !parts[0].isEmpty {
            let folder = (page.path as NSString).deletingLastPathComponent
            let path = NSString(string: folder + "/" + parts[0]).standardizingPath
            let below = path.hasPrefix("/") ? String(path.dropFirst()) : path
            guard Repository.exists(below), !below.hasPrefix("..") else { return false }
            guard parts.count > 1, below.hasSuffix(".md") else { return true }
            other = try Repository.file(below)
        }
        return parts.count == 1 || headings(of: other).contains(String(parts[1]))
    }

    /// The anchors that code hosts make of headings.
    private static func headings(of page: Repository.File) -> Set<String> {
        Set(
            page.text.matches(of: /(?m)^#+ (.+)$/).map { match in
                String(
                    match.1.lowercased().filter {
                        $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" || $0 == " "
                    }.map { $0 == " " ? "-" : $0 })
            })
    }
}
