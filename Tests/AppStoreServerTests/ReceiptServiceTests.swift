import Foundation
import StoreHTTP
import StoreModel
import StoreSigning
import StoreWire
import Testing

@testable import AppStoreServer

struct ReceiptServiceTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func products(in answer: JSONValue) -> [String] {
        answer["receipt"]?["in_app"]?.array?.compactMap { $0["product_id"]?.string } ?? []
    }

    @Test func `consumables stay in the receipt until finished, everything else for good`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        var bought: [TransactionBody] = []
        for product in [Samples.fuel, Samples.turbo, Samples.season] {
            bought.append(try await store.buy(product, token: token))
        }
        let before = try await store.verify(try await store.receipt(token: token))
        #expect(products(in: before) == [Samples.fuel, Samples.turbo, Samples.season])
        for transaction in bought {
            _ = await store.send(
                "POST", "/sandbox/device/v1/transactions/\(transaction.transactionId)/finish",
                token: token)
        }
        let after = try await store.verify(try await store.receipt(token: token))
        #expect(products(in: after) == [Samples.turbo, Samples.season])
    }

    @Test func `the same revision gives the same receipt, byte for byte`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        _ = try await store.buy(Samples.fuel, token: token)
        let first = try await store.receipt(token: token)
        store.move(byMilliseconds: 5_000)
        #expect(try await store.receipt(token: token) == first)
        _ = try await store.buy(Samples.fuel, token: token)
        #expect(try await store.receipt(token: token) != first)
    }

    @Test func `a receipt without purchases is valid`() async throws {
        try await store.stock()
        let answer = try await store.verify(
            try await store.receipt(token: try await store.signIn()))
        #expect(answer["status"]?.integer == 0)
        #expect(products(in: answer).isEmpty)
    }

    @Test func `a receipt is bound to its device`() async throws {
        try await store.stock()
        let guid = "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11"
        let token = try await store.signIn(guid: guid)
        let receipt = try await store.receipt(token: token)
        let verified = try store.parts.verifier.verify(receipt)
        let payload = verified.payload
        #expect(
            payload.deviceHash
                == receiptDeviceHash(
                    guid: bytes(ofUUID: guid), opaqueValue: payload.opaqueValue,
                    bundleID: TestStore.bundleID))
        #expect(verified.worldID == store.registry.defaultWorld.id)
    }
}

struct VerifyReceiptTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func status(_ text: String, method: String = "POST", at base: String = "/sandbox")
        async -> String
    {
        let answer = await store.send(method, "\(base)/verifyReceipt", body: Array(text.utf8))
        #expect(answer.status == 200)
        return String(decoding: answer.body, as: UTF8.self)
    }

    @Test(arguments: [
        ("", "POST", 21000), ("{", "POST", 21000), ("not json", "POST", 21000),
        ("[]", "POST", 21000), (#"{"receipt-data":"AAAA"}"#, "GET", 21000),
        (#"{"receipt-data":"AAAA"}"#, "PUT", 21000), ("{}", "POST", 21002),
        (#"{"receipt-data":null}"#, "POST", 21002), (#"{"receipt-data":7}"#, "POST", 21002),
        (#"{"receipt-data":""}"#, "POST", 21002), (#"{"receipt-data":"???"}"#, "POST", 21002),
        (#"{"receipt-data":"AAAA"}"#, "POST", 21002),
    ])
    func `data that is not a receipt gets a status with HTTP 200`(
        text: String, method: String, expected: Int
    ) async {
        #expect(await status(text, method: method) == #"{"status":\#(expected)}"#)
    }

    @Test func `verifyReceipt answers with Apple's fields, types and dates`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        _ = try await store.buy(Samples.turbo, token: token)
        store.move(byMilliseconds: 61_000)
        _ = try await store.buy(Samples.fuel, quantity: 3, token: token)
        let receipt = try await store.receipt(token: token)
        store.move(byMilliseconds: 1_077)
        let answer = try await store.verify(receipt)
        // Keys, types and order as in Apple's responseBody.Receipt; dates in its three forms.
        // One member a line, for reading; the answer itself has no line breaks.
        let lines = String(decoding: answer.compactBytes, as: UTF8.self)
            .replacingOccurrences(of: ",\"", with: ",\n\"")
        try Golden.check(Array((lines + "\n").utf8), "verify-receipt-valid.json")
    }

    @Test func `a non-consumable bought again names its original in the answer`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        _ = try await store.buy(Samples.turbo, token: token)
        _ = try await store.buy(Samples.turbo, token: token)
        let answer = try await store.verify(try await store.receipt(token: token))
        let items = try #require(answer["receipt"]?["in_app"]?.array)
        #expect(
            items.map { $0["original_transaction_id"] } == [
                items[0]["transaction_id"], items[0]["transaction_id"],
            ])
        #expect(items[0]["transaction_id"] != items[1]["transaction_id"])
    }

    @Test func `production refers a sandbox receipt to the sandbox`() async throws {
        try await store.stock()
        let receipt = try await store.receipt(token: try await store.signIn())
        let answer = try await store.verify(receipt, at: "/production")
        #expect(answer.compactBytes == Array(#"{"status":21007}"#.utf8))
    }

    @Test func `the sandbox refers a production receipt to production`() async throws {
        let world = store.registry.defaultWorld
        let receipt = try world.signer(for: .production).sign(
            ReceiptPayload(
                receiptType: "Production", appItemID: 0, bundleID: TestStore.bundleID,
                applicationVersion: "1.0", opaqueValue: Array(repeating: 1, count: 16),
                deviceHash: Array(repeating: 2, count: 20), createdAt: TestStore.start,
                downloadID: 0, versionExternalIdentifier: 0, purchases: [],
                originalPurchaseDate: TestStore.start, originalApplicationVersion: "1.0",
                expiresAt: nil))
        let answer = try await store.verify(receipt)
        #expect(answer.compactBytes == Array(#"{"status":21008}"#.utf8))
        #expect(try await store.verify(receipt, at: "/production")["status"]?.integer == 0)
    }

    @Test func `a unified receipt of another world is not authentic here`() async throws {
        _ = try await store.control(
            "POST", "/control/v1/worlds", body: MakeWorldBody(name: "one"))
        _ = try await store.control(
            "POST", "/control/v1/worlds", body: MakeWorldBody(name: "two"))
        try await store.stock(world: "/t/one")
        let token = try await store.signIn(in: "/t/one/sandbox")
        let receipt = try await store.receipt(token: token, in: "/t/one/sandbox")
        #expect(try await store.verify(receipt, at: "/t/one/sandbox")["status"]?.integer == 0)
        #expect(try await store.verify(receipt, at: "/t/two/sandbox")["status"]?.integer == 21003)
        #expect(try await store.verify(receipt, at: "/sandbox")["status"]?.integer == 21003)
    }

    @Test func `line breaks in the base64 are accepted`() async throws {
        try await store.stock()
        let receipt = try await store.receipt(token: try await store.signIn())
        let text = Data(receipt).base64EncodedString(options: .lineLength64Characters)
            .replacingOccurrences(of: "\r\n", with: "\\r\\n")
        #expect(await status(#"{"receipt-data":"\#(text)"}"#).hasPrefix(#"{"status":0"#))
    }

    @Test func `an altered receipt is refused`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        _ = try await store.buy(Samples.turbo, token: token)
        let receipt = try await store.receipt(token: token)
        for place in stride(from: 0, to: receipt.count, by: 97) {
            var altered = receipt
            altered[place] ^= 1
            let status = try await store.verify(altered)["status"]?.integer
            #expect(status == 21002 || status == 21003, "byte \(place)")
        }
    }
}
