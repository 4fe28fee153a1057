import Foundation
import StoreHTTP
import StoreService
import TestSupport
import Testing

@testable import StoreConsole

/// The files of the console's pages: which there are, and what browsers are told about them.
struct ConsoleFilesTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/CConsoleFiles/files")

    private func request(tag: String? = nil) -> HTTPRequest {
        HTTPRequest(
            method: "GET", path: "/console/", segments: ["console"],
            headers: HTTPHeaders(tag.map { [("If-None-Match", $0)] } ?? []))
    }

    private func code(_ name: String, in files: ConsoleFiles) -> String? {
        do { _ = try files.answer(request(), name) } catch { return error.code }
        return nil
    }

    @Test func `the program has the files of the folder, byte for byte`() throws {
        let root = Self.folder.path + "/"
        let walker = try #require(FileManager.default.enumerator(atPath: root))
        var found: [String: [UInt8]] = [:]
        for case let name as String in walker {
            guard let data = FileManager.default.contents(atPath: root + name) else { continue }
            found[name] = Array(data)
        }
        #expect(found.keys.sorted() == ConsoleFiles.embedded.keys.sorted())
        for (name, bytes) in found {
            #expect(ConsoleFiles.embedded[name] == bytes, "\(name)")
        }
    }

    // A reader loads what the screen at hand needs, a third of it.
    @Test func `the files are at most 500 KB`() {
        #expect(ConsoleFiles.embedded.values.reduce(0) { $0 + $1.count } <= 500_000)
    }

    @Test func `every file has a media type and a tag of its own`() throws {
        var tags: Set<String> = []
        for name in ConsoleFiles.embedded.keys {
            let answer = try ConsoleFiles().answer(request(), name)
            #expect(answer.status == 200)
            #expect(answer.headers["Content-Type"] != nil, "\(name)")
            tags.insert(try #require(answer.headers["ETag"]))
        }
        #expect(tags.count == ConsoleFiles.embedded.count)
    }

    @Test func `a client that has a file gets 304 without the bytes`() throws {
        let files = ConsoleFiles()
        let first = try files.answer(request(), ConsoleFiles.page)
        let again = try files.answer(request(tag: first.headers["ETag"]), ConsoleFiles.page)
        #expect(again.status == 304)
        #expect(again.body.isEmpty)
        #expect(try files.answer(request(tag: "\"other\""), ConsoleFiles.page).status == 200)
    }

    @Test(arguments: [nil, "\"other\""])
    func `browsers run the console's own scripts alone, and show it in no other page`(
        tag: String?
    ) throws {
        let answer = try ConsoleFiles().answer(request(tag: tag), ConsoleFiles.page)
        let policy = try #require(answer.headers["Content-Security-Policy"])
            .split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(
            Set(policy) == [
                "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'",
                "connect-src 'self'", "base-uri 'none'", "form-action 'none'",
                "frame-ancestors 'none'", "require-trusted-types-for 'script'",
                "trusted-types 'none'",
            ])
        #expect(answer.headers["X-Content-Type-Options"] == "nosniff")
        #expect(answer.headers["Referrer-Policy"] == "no-referrer")
        #expect(answer.headers["Cross-Origin-Opener-Policy"] == "same-origin")
        #expect(answer.headers["Cross-Origin-Resource-Policy"] == "same-origin")
        #expect(answer.headers["X-Frame-Options"] == "DENY")
    }

    @Test(arguments: [
        "", "none.js", "index", "index.htm", "../console_files.c", "..", ".", "screens/",
        "/etc/passwd", "index.html/", "INDEX.HTML", "console_files.c", "index.html\u{0}.js",
    ])
    func `a name that is no file of the console is unknown`(name: String) throws {
        #expect(code(name, in: ConsoleFiles()) == "notFound")
        #expect(code(name, in: ConsoleFiles(folder: Self.folder.path)) == "notFound")
    }

    @Test func `a folder is read for each request`() throws {
        let folder = TemporaryFolder()
        let files = ConsoleFiles(folder: folder.path)
        #expect(code(ConsoleFiles.page, in: files) == "notFound")
        var tags: Set<String?> = []
        for text in ["one", "two"] {
            _ = try folder.write(text, ConsoleFiles.page)
            let answer = try files.answer(request(), ConsoleFiles.page)
            #expect(answer.body == Array(text.utf8))
            tags.insert(answer.headers["ETag"])
        }
        #expect(tags.count == 2)
    }

    @Test func `a folder's hidden files and those beside it stay unread`() throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/pages", withIntermediateDirectories: false)
        _ = try folder.write("secret", "secret.js")
        _ = try folder.write("hidden", "pages/.hidden.js")
        _ = try folder.write("page", "pages/page.js")
        let files = ConsoleFiles(folder: folder.path + "/pages")
        for name in ["../secret.js", ".hidden.js", "a/../../secret.js"] {
            #expect(code(name, in: files) == "notFound", "\(name)")
        }
        #expect(try files.answer(request(), "page.js").body == Array("page".utf8))
    }
}
