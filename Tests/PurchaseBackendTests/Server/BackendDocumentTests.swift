import TestSupport
import Testing

@testable import PurchaseBackend

/// The document is there for whoever asks; what it says is held to the routes by `OpenAPITests`.
@Suite(.ownThreads) struct BackendDocumentTests {
    @Test(arguments: ["GET", "HEAD"])
    func `the backend's OpenAPI document needs no token`(method: String) throws {
        let answer = try Rig().send(method, "/openapi.json")
        #expect(answer.status == 200)
        #expect(answer.headers["Content-Type"] == "application/json")
        #expect(answer.body == BackendDocument.bytes)
    }
}
