import Testing

@testable import AppStoreServer

/// The document is there for whoever asks; what it says is held to the routes by `OpenAPITests`.
struct StoreDocumentTests {
    @Test(arguments: ["GET", "HEAD"])
    func `the store's OpenAPI document needs no token`(method: String) async throws {
        let answer = await (try TestStore()).send(method, "/openapi.json")
        #expect(answer.status == 200)
        #expect(answer.headers["Content-Type"] == "application/json")
        #expect(answer.body == StoreDocument.bytes)
    }
}
