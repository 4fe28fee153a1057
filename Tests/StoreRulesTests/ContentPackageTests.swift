import StoreModel
import StoreRules
import Testing

/// What may be content, and what is refused for which reason.
struct ContentPackageTests {
    private static let digest = String(repeating: "a", count: 64)

    private static func file(
        _ path: String, _ byteCount: Int64 = 1, _ digest: String = Self.digest
    ) -> ContentFile {
        ContentFile(path: path, byteCount: byteCount, digest: digest)
    }

    private func refusal(_ files: [ContentFile], version: String = "1.0") -> ContentRefusal? {
        do {
            _ = try ContentPackage(version: version, files: files)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a content package is sorted and knows its size and digests`() throws {
        let other = String(repeating: "b", count: 64)
        let package = try ContentPackage(
            version: "1.0",
            files: [Self.file("b/2", 5), Self.file("a", 5), Self.file("c", 0, other)])
        #expect(package.files.map(\.path) == ["a", "b/2", "c"])
        #expect(package.byteCount == 10)
        #expect(package.digests == [Self.digest, other])
    }

    @Test(arguments: ["1", "1.0", "10.20.30", "0"])
    func `a content version is one to several numbers with dots`(text: String) {
        #expect(ContentPackage.isVersion(text))
    }

    @Test(arguments: [
        "", ".", "1.", ".1", "1..2", "1a", "-1", "1 ", "١", String(repeating: "1", count: 33),
    ])
    func `an invalid content version is refused`(text: String) {
        #expect(!ContentPackage.isVersion(text))
        #expect(refusal([Self.file("a")], version: text) == .badVersion(text))
    }

    @Test(arguments: [
        "a", "a/b/c", "Grüße/レベル.json", ".hidden", "a b", "..b", "b..", "👩‍🚀.png",
        String(repeating: "x", count: 255),
    ])
    func `ordinary content paths are accepted`(path: String) {
        #expect(refusal([Self.file(path)]) == nil)
    }

    struct PathRow: Sendable {
        let path: String
        let problem: String
    }

    @Test(arguments: [
        PathRow(path: "", problem: "is empty"),
        PathRow(path: "/etc/passwd", problem: "is absolute"),
        PathRow(path: "../a", problem: "has a part that is . or .."),
        PathRow(path: "a/../b", problem: "has a part that is . or .."),
        PathRow(path: "a/..", problem: "has a part that is . or .."),
        PathRow(path: "./a", problem: "has a part that is . or .."),
        PathRow(path: "a//b", problem: "has an empty part"),
        PathRow(path: "a/", problem: "has an empty part"),
        PathRow(path: "a\\b", problem: "contains a backslash"),
        PathRow(path: "a\nb", problem: "contains a control character"),
        PathRow(path: "a\u{0}", problem: "contains a control character"),
        PathRow(path: "a\u{7F}", problem: "contains a control character"),
        PathRow(path: "a\u{9B}b", problem: "contains a control character"),
        PathRow(path: "a\u{2028}b", problem: "contains a control character"),
        PathRow(path: "a\u{202E}gnp.b", problem: "contains a control character"),
        PathRow(
            path: String(repeating: "x", count: 256),
            problem: "has a part of more than 255 bytes"),
        PathRow(
            path: String(repeating: "xx/", count: 400), problem: "has more than 1024 bytes"),
        PathRow(
            path: String(repeating: "x/", count: 32) + "x",
            problem: "is more than 32 folders deep"),
    ])
    func `unsafe content paths are refused`(row: PathRow) {
        #expect(refusal([Self.file(row.path)]) == .badPath(row.path, row.problem))
    }

    @Test func `a refusal message hides control characters and is cut short`() {
        let path = "a\u{1B}[31m\u{202E}" + String(repeating: "x", count: 5_000)
        let text = "\(ContentRefusal.badPath(path, "is bad"))"
        #expect(text.hasPrefix("\"a\\u{1B}[31m\\u{202E}xxx"))
        #expect(text.count < 300)
    }

    @Test(arguments: [
        ["Maps/a", "maps/A"], ["straße", "STRASSE"], ["é", "e\u{301}"], ["É", "e\u{301}"],
        ["a", "A"], ["a/b", "A/c"], ["a", "a/b"], ["A", "a/b"], ["a", "a"],
    ])
    func `file names that collide are refused`(paths: [String]) {
        let found = refusal(paths.map { Self.file($0) })
        guard case .twice = found else {
            Issue.record("\(String(describing: found))")
            return
        }
    }

    @Test func `the number and sizes of content files are limited`() {
        #expect(refusal([]) == .empty)
        let many = (0...ContentPackage.filesMax).map { Self.file("f\($0)") }
        #expect(refusal(many) == .tooManyFiles)
        #expect(refusal(Array(many.dropLast())) == nil)
        let most = ContentPackage.bytesMax
        #expect(refusal([Self.file("a", most)]) == nil)
        let other = String(repeating: "b", count: 64)
        #expect(refusal([Self.file("a", most), Self.file("b", 1, other)]) == .tooLarge)
        #expect(refusal([Self.file("a", .max), Self.file("b", .max, other)]) == .tooLarge)
        #expect(refusal([Self.file("a", -1)]) == .badSize("a"))
        #expect(refusal([Self.file("a", 1), Self.file("b", 2)]) == .badDigest("b"))
        for digest in ["", "A" + Self.digest.dropFirst(), Self.digest + "a", "../../x"] {
            #expect(refusal([Self.file("a", 1, digest)]) == .badDigest("a"))
        }
    }

    @Test func `executable code is refused by its file name`() {
        for ending in CodeKind.endings.keys {
            #expect(refusal([Self.file("x/Level.\(ending.uppercased())")]) != nil, "\(ending)")
        }
        for ending in CodeKind.folderEndings {
            #expect(refusal([Self.file("Engine.\(ending)/Info.plist")]) != nil, "\(ending)")
            #expect(refusal([Self.file("Engine.\(ending)")]) != nil, "\(ending)")
        }
        #expect(refusal([Self.file("lib/libz.so.1.2.13")]) == .code("lib/libz.so.1.2.13", .library))
        let data = [
            "so", ".sh", "a.json", "a.so.json", "py/a.txt", "model.obj", "film.ts", "a.sharp",
        ]
        for path in data {
            #expect(refusal([Self.file(path)]) == nil, "\(path)")
        }
        let text = "\(ContentRefusal.code("Tools/run.sh", .script))"
        #expect(text == "\"Tools/run.sh\" is a script; content is data only.")
    }

    @Test(arguments: CodeKind.beginnings.map(\.bytes))
    func `executable code is recognised by its first bytes`(bytes: [UInt8]) {
        #expect(CodeKind(head: bytes + [1, 2, 3, 4, 5, 6, 7, 8, 9]) != nil)
        #expect(CodeKind(head: bytes) != nil)
        #expect(CodeKind(head: bytes.dropLast()) == nil)
    }

    @Test func `compiled Python is recognised as code, and data is not`() {
        for head: [UInt8] in [
            [0xA7, 0x0D, 0x0D, 0x0A], [0xCB, 0x0D, 0x0D, 0x0A, 0, 0, 0, 0],
            [0x03, 0xF3, 0x0D, 0x0A],
        ] { #expect(CodeKind(head: head) == .bytecode) }
        for text in ["", "{", "hello\r\n", "ab\r\ncd", "PK\u{3}\u{4}", "M", "#", "%PDF-1.7"] {
            #expect(CodeKind(head: Array(text.utf8)) == nil, "\(text)")
        }
        #expect(CodeKind(head: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) == nil)
    }
}
