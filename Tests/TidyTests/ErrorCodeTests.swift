import Testing

/// The names of errors: those of the sources and those of the documents are the same.
@Suite struct ErrorCodeTests {
    struct Part: Sendable, CustomTestStringConvertible {
        let folder: String
        let document: String
        var testDescription: String { folder }
    }

    @Test(arguments: [
        Part(
            folder: "Sources/AppStoreServer",
            document: "Sources/AppStoreServer/OpenAPI/StoreDocument+Shared.swift"),
        Part(
            folder: "Sources/PurchaseBackend",
            document: "Sources/PurchaseBackend/OpenAPI/BackendDocument+Shared.swift"),
    ])
    func `every code of an error is documented, and no other is`(part: Part) throws {
        let sources = try Repository.sources().filter {
            $0.path.hasPrefix(part.folder + "/") || $0.path.hasPrefix("Sources/StoreHTTP/")
        }
        let found = Set(sources.flatMap { Self.codes(in: $0.text) })
        let documented = Self.documented(in: try Repository.file(part.document).text)
        #expect(documented.count > 10)
        #expect(found.symmetricDifference(documented).sorted() == [])
    }

    @Test func `codes are found however they are written`() {
        #expect(Self.codes(in: "throw Refusal(\n    422, \"badField\",") == ["badField"])
        #expect(Self.codes(in: "self.init(\n 409, \"nameTaken\"") == ["nameTaken"])
        #expect(Self.codes(in: "Self(\n status: 409, code: \"nameTaken\"") == ["nameTaken"])
        #expect(Self.codes(in: "error(\n        503, code: \"stopping\"") == ["stopping"])
    }

    static func codes(in text: String) -> [String] {
        text.matches(of: /(?:(?:Refusal|\.init)\(\s*\d{3},\s*|\bcode: )"(\w+)"/).map {
            String($0.1)
        }
    }

    private static func documented(in text: String) -> Set<String> {
        guard let list = text.firstMatch(of: /"ErrorCode": \{[^\[]*\[([^\]]*)\]/) else { return [] }
        return Set(list.1.matches(of: /"(\w+)"/).map { String($0.1) })
    }
}
