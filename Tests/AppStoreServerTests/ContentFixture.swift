import Foundation
import StoreModel
import StoreSigning
import StoreVerification
import StoreWire
import Testing

@testable import AppStoreServer
@testable import StoreHTTP

/// A stocked test store whose products get content, in short words.
struct ContentFixture {
    let store: TestStore
    var registry: WorldRegistry { store.registry }
    var folder: String { registry.content.directory }

    init() async throws {
        store = try TestStore()
        try await store.stock()
    }

    static func digest(_ text: String) -> String { hexadecimal(sha256(Array(text.utf8))) }

    /// The files of a package, each with its text.
    static func body(_ files: [String: String], version: String = "1.0") -> BeginContentBody {
        BeginContentBody(
            contentVersion: version,
            files: files.map { path, text in
                ContentFileBody(
                    path: path, size: Int64(text.utf8.count), sha256: digest(text))
            })
    }

    func uploads(_ product: String = Samples.turbo, in world: String = "") -> String {
        "\(world)/control/v1/apps/\(TestStore.bundleID)/products/\(product)/content-uploads"
    }

    func begin(
        _ body: BeginContentBody, for product: String = Samples.turbo, in world: String = ""
    ) async throws -> ContentUploadBody {
        let answer = try await store.control("POST", uploads(product, in: world), body: body)
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try WireJSON.decode(ContentUploadBody.self, from: answer.body)
    }

    func part(
        _ text: String, of digest: String, at offset: Int, to upload: String,
        for product: String = Samples.turbo, in world: String = ""
    ) async -> HTTPResponse {
        await store.send(
            "PUT",
            "\(uploads(product, in: world))/\(upload)/files/\(digest)?offset=\(offset)",
            token: TestStore.controlToken, body: Array(text.utf8))
    }

    func commit(
        _ upload: String, for product: String = Samples.turbo, in world: String = ""
    ) async throws -> HTTPResponse {
        try await store.control("POST", "\(uploads(product, in: world))/\(upload)/commit")
    }

    /// Sends what is missing and commits.
    @discardableResult
    func upload(
        _ files: [String: String], version: String = "1.0", for product: String = Samples.turbo,
        in world: String = ""
    ) async throws -> ContentVersionBody {
        let begun = try await begin(Self.body(files, version: version), for: product, in: world)
        let texts = Dictionary(
            files.values.map { (Self.digest($0), $0) }, uniquingKeysWith: { $1 })
        for missing in begun.missing {
            let text = try #require(texts[missing.sha256])
            let answer = await part(
                text, of: missing.sha256, at: 0, to: begun.uploadId, for: product, in: world)
            try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        }
        let answer = try await commit(begun.uploadId, for: product, in: world)
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try WireJSON.decode(ContentVersionBody.self, from: answer.body)
    }

    func versions(in world: String = "") async throws -> [String] {
        let answer = try await store.control(
            "GET", "\(world)/control/v1/apps/\(TestStore.bundleID)/content")
        try #require(answer.status == 200)
        return try WireJSON.decode(ContentVersionsBody.self, from: answer.body).versions.map {
            "\($0.contentVersion)\($0.isCurrent ? "*" : "")"
        }
    }

    func remove(
        _ version: String? = nil, of product: String = Samples.turbo
    ) async throws -> HTTPResponse {
        try await store.control(
            "DELETE",
            "/control/v1/apps/\(TestStore.bundleID)/products/\(product)/content"
                + (version.map { "/\($0)" } ?? ""))
    }

    /// What a device is told of the content of a transaction.
    func manifest(
        _ transaction: String, token: String, query: String = "", in base: String = "/sandbox"
    ) async -> HTTPResponse {
        await store.send(
            "GET", "\(base)/device/v1/transactions/\(transaction)/content\(query)", token: token)
    }

    func file(
        _ transaction: String, _ version: String, _ digest: String, token: String,
        headers: [(String, String)] = []
    ) async -> HTTPResponse {
        await store.send(
            "GET", "/sandbox/device/v1/transactions/\(transaction)/content/\(version)/\(digest)",
            token: token, headers: headers)
    }

    /// The bytes that an answer's file would bring.
    static func text(_ response: HTTPResponse) throws -> String {
        let slice = try #require(response.slice)
        let place = "/proc/self/fd/\(slice.file.descriptor)"
        let bytes = try #require(FileManager.default.contents(atPath: place))
        let range = Int(slice.range.lowerBound)..<Int(slice.range.upperBound)
        return String(decoding: bytes[range], as: UTF8.self)
    }

    /// The names of what is kept on the disk.
    func kept() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder)).subtracting(["incoming"])
    }

    func incoming() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder + "/incoming"))
    }

    static let day: Int64 = 86_400_000
}
