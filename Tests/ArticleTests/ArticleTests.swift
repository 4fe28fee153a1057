import Foundation
import TestSupport
import Testing

/// The articles of the module's documentation, and the README: their code is compiled here, and the
/// same.
@Suite(.ownThreads) struct ArticleTests {
    private static let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let module = here.appendingPathComponent("../../Sources/StoreKit")
        .standardizedFileURL

    @Test func `every snippet is shown, and all code that is shown is a snippet`() throws {
        let snippets = try Self.files(
            Self.here.appendingPathComponent("Snippets"), ending: ".swift"
        ).map(Self.shownPart)
        let articles = try Self.files(
            Self.module.appendingPathComponent("StoreKit.docc"), ending: ".md"
        ).flatMap(Self.code)
        let readme = Self.code(
            try String(
                contentsOf: Self.here.appendingPathComponent("../../README.md"), encoding: .utf8))
        let testing = Self.code(
            try String(
                contentsOf: Self.here.appendingPathComponent("../../docs/testing.md"),
                encoding: .utf8))
        let second = Self.code(
            try String(
                contentsOf: Self.here.appendingPathComponent("../../docs/storekit2.md"),
                encoding: .utf8))
        let sessions = Self.code(
            try String(
                contentsOf: Self.here.appendingPathComponent("../../docs/storekit-test.md"),
                encoding: .utf8))
        let comments = try (Self.publicSources() + Self.testingSources() + Self.sessionSources())
            .flatMap { Self.code(Self.comments(in: $0)) }
        #expect(
            !snippets.isEmpty && !articles.isEmpty && !comments.isEmpty && !readme.isEmpty)
        let shown = Set(articles + comments + readme + testing + second + sessions)
        #expect(Set(snippets).subtracting(shown) == [], "snippets that nothing shows")
        #expect(shown.subtracting(snippets) == [], "code that nothing compiles")
    }

    @Test func `every public type shows an example and names Apple's page`() throws {
        var bare: [String] = []
        var types = 0
        for source in try Self.publicSources() {
            let declarations =
                /(?m)((?:^\/\/\/.*\n)+)(?:^@.*\n)*^(?:open class|public protocol|public struct) (\w+)/
            for match in source.matches(of: declarations) {
                types += 1
                let page = "developer.apple.com/documentation/"
                if match.1.contains("/// ```swift\n"), match.1.contains(page) { continue }
                bare.append(String(match.2))
            }
        }
        #expect(types > 20)
        #expect(bare == [])
    }

    @Test func `every public type of BodegaTesting shows an example`() throws {
        let declarations =
            /(?m)((?:^ *\/\/\/.*\n)*)^ *public (?:final class|struct) (\w+)/
        let types = try Self.testingSources().flatMap { $0.matches(of: declarations) }
        #expect(types.count > 5)
        #expect(types.filter { !$0.1.contains("/// ```swift\n") }.map { String($0.2) } == [])
    }

    @Test func `the documentation builds without a warning`() throws {
        let folder = TemporaryFolder()
        let site = URL(fileURLWithPath: folder.file("site"))
        let process = Process()
        process.executableURL =
            Self.here.appendingPathComponent("../../scripts/docs")
            .standardizedFileURL
        process.arguments = ["--module", "--built", Self.buildFolder, "--output", site.path]
        process.environment = ProcessInfo.processInfo.environment
            .merging(["TMPDIR": folder.path]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
        let pages = [
            "storekit", "storekit/runyourstorekitcodeonlinux", "storekit/skpaymentqueue",
            "bodegatesting", "bodegatesting/bodegaworld/faults-swift.struct", "storekittest",
            "storekittest/sktestsession",
        ]
        for page in pages {
            let module = page.prefix { $0 != "/" }
            let file = site.appendingPathComponent("\(module)/data/documentation/\(page).json")
            #expect(FileManager.default.fileExists(atPath: file.path), "\(page)\n\(text)")
        }
    }

    // MARK: -

    private static let buildFolder = URL(fileURLWithPath: CommandLine.arguments[0])
        .deletingLastPathComponent().path

    private static func publicSources() throws -> [String] {
        let second = module.appendingPathComponent("StoreKit2")
        let rooms = try FileManager.default.contentsOfDirectory(
            at: second, includingPropertiesForKeys: [.isDirectoryKey]
        ).filter(\.hasDirectoryPath)
        return try ([module.appendingPathComponent("Public")] + rooms)
            .flatMap { try files($0, ending: ".swift") }
    }

    private static func testingSources() throws -> [String] {
        try files(here.appendingPathComponent("../../Sources/BodegaTesting"), ending: ".swift")
    }

    private static func sessionSources() throws -> [String] {
        try files(here.appendingPathComponent("../../Sources/StoreKitTest"), ending: ".swift")
    }

    private static func files(_ folder: URL, ending: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(ending) }.sorted()
            .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
    }

    /// What stands between `// begin` and `// end`.
    private static func shownPart(_ source: String) throws -> String {
        try String(#require(source.firstMatch(of: /\/\/ begin\n((?:.*\n)*?)\/\/ end\n/)?.1))
    }

    /// The doc comments of a file without their marks.
    private static func comments(in source: String) -> String {
        source.split(separator: "\n").map { $0.drop { $0 == " " } }
            .filter { $0.hasPrefix("///") }
            .map { $0.dropFirst($0.hasPrefix("/// ") ? 4 : 3) + "\n" }.joined()
    }

    /// The blocks of Swift, without those of a manifest, which is no code of an app.
    private static func code(_ article: String) -> [String] {
        article.matches(of: /(?m)^```swift\n((?:.*\n)*?)^```$/).map { String($0.1) }
            .filter { !$0.contains(".package(") }
    }
}
