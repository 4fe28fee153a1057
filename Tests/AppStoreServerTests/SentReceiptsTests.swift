import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Receipts that come with the answer to an attempt.
struct SentReceiptsTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func attempt(
        _ product: String, id: String = UUID().uuidString, query: String, token: String
    ) async throws -> HTTPResponse {
        await store.send(
            "POST", "/sandbox/device/v1/attempts" + query, token: token,
            body: try WireJSON.encode(
                AttemptRequestBody(
                    attemptId: id, productId: product, quantity: 1, applicationUsername: nil)))
    }

    private func body(_ answer: HTTPResponse) throws -> AttemptAnswerBody {
        try #require(answer.status == 200)
        return try WireJSON.decode(AttemptAnswerBody.self, from: answer.body)
    }

    @Test func `receipts sent with a purchase are those the device would fetch`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let bought = try body(
            try await attempt(Samples.fuel, query: "?receipts=true", token: token))
        let transaction = try #require(bought.transaction)
        let sent = try #require(bought.receipts)
        let receipt = Array(try #require(Data(base64Encoded: sent.receipt)))
        let own = Array(try #require(Data(base64Encoded: sent.transactionReceipt)))
        #expect(sent.revision == bought.receiptRevision)
        #expect(try await store.receipt(token: token) == receipt)
        #expect(
            try await store.transactionReceipt(transaction.transactionId, token: token) == own)
        let purchases = try store.parts.verifier.verify(receipt).payload.purchases
        #expect(purchases.map(\.transactionID) == [transaction.transactionId])
    }

    @Test func `a repeated attempt comes with the receipt as it is then`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let id = UUID().uuidString
        let query = "?receipts=true"
        let first = try body(
            try await attempt(Samples.fuel, id: id, query: query, token: token))
        _ = try await store.buy(Samples.turbo, token: token)
        let again = try body(
            try await attempt(Samples.fuel, id: id, query: query, token: token))
        #expect(again.transaction == first.transaction)
        let sent = try #require(again.receipts)
        #expect(sent.revision == first.receiptRevision + 1)
        #expect(sent.transactionReceipt == first.receipts?.transactionReceipt)
        let receipt = Array(try #require(Data(base64Encoded: sent.receipt)))
        #expect(try store.parts.verifier.verify(receipt).payload.purchases.count == 2)
    }

    @Test func `a device whose receipt has an older revision fetches the new one`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let other = try await store.signIn(guid: "22222222-3333-4444-8555-666666666666")
        let id = UUID().uuidString
        _ = try body(try await attempt(Samples.fuel, id: id, query: "", token: token))
        _ = try await store.buy(Samples.turbo, token: other)
        let again = try body(
            try await attempt(Samples.fuel, id: id, query: "?receipts=true", token: token))
        #expect(again.transaction != nil)
        #expect(again.receipts == nil)
    }

    @Test(arguments: ["", "?receipts=false"])
    func `receipts are sent with a purchase only on request`(query: String) async throws {
        try await store.stock()
        let token = try await store.signIn()
        let bought = try body(try await attempt(Samples.fuel, query: query, token: token))
        #expect(bought.transaction != nil)
        #expect(bought.receipts == nil)
    }

    @Test func `a refused attempt has no receipts, and an empty query value is refused`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let refused = try body(try await attempt("unknown", query: "?receipts=true", token: token))
        #expect(refused.refusal != nil)
        #expect(refused.receipts == nil)
        let odd = try await attempt(Samples.fuel, query: "?receipts=perhaps", token: token)
        #expect(odd.status == 400)
        #expect(errorCode(odd) == "badQuery")
        let count = try store.registry.defaultWorld.database.read {
            try $0.row("SELECT count(*) FROM store_transaction")?.integer(0)
        }
        #expect(count == 0)
    }
}
