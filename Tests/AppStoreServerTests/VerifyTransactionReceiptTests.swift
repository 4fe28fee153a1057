import Foundation
import StoreHTTP
import StoreModel
import StoreSigning
import StoreWire
import Testing

@testable import AppStoreServer

/// `verifyReceipt` asked about receipts of single transactions.
struct VerifyTransactionReceiptTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private static let info = TransactionReceiptInfo(
        bundleID: "com.example.another", applicationVersion: "1.0",
        vendorIdentifier: TestStore.guid, productID: "thing", quantity: 1,
        transactionID: "100000000000001", originalTransactionID: "100000000000001",
        purchasedAt: TestStore.start, originallyPurchasedAt: TestStore.start)

    private func signed(
        _ info: TransactionReceiptInfo = info, from environment: StoreEnvironment
    ) throws -> [UInt8] {
        try store.registry.defaultWorld.transactionSigner(for: environment).sign(info)
    }

    /// One member a line, for reading; the answer itself has no line breaks.
    private func check(_ answer: JSONValue, _ name: String) throws {
        let lines = String(decoding: answer.compactBytes, as: UTF8.self)
            .replacingOccurrences(of: ",\"", with: ",\n\"")
        try Golden.check(Array((lines + "\n").utf8), name)
    }

    @Test func `a transaction receipt is answered in the iOS 6 style`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        _ = try await store.buy(Samples.turbo, token: token)
        store.move(byMilliseconds: 61_000)
        let id = try await store.buy(Samples.turbo, token: token).transactionId
        let receipt = try await store.transactionReceipt(id, token: token)
        let answer = try await store.verify(receipt)
        let seal = try #require(answer["receipt"]?["unique_identifier"]?.string)
        #expect(seal.utf8.count == 40)
        let text = String(decoding: answer.compactBytes, as: UTF8.self)
        // The world's name is random, and this field follows from it.
        try check(
            try JSONValue(parsing: Array(text.replacingOccurrences(of: seal, with: "…").utf8)),
            "verify-transaction-receipt-valid.json")
    }

    @Test func `a production answer for a transaction receipt has the app's numbers, too`()
        async throws
    {
        let answer = try await store.verify(
            try signed(from: .production), at: "/production")
        #expect(answer["status"]?.integer == 0)
        #expect(answer["environment"] == nil)
        #expect(answer["receipt"]?["app_item_id"]?.string == "0")
        #expect(answer["receipt"]?["version_external_identifier"]?.string == "0")
    }

    @Test func `a transaction receipt sent to the wrong environment is redirected`() async throws {
        let (sandbox, production) = (try signed(from: .sandbox), try signed(from: .production))
        #expect(
            try await store.verify(sandbox, at: "/production").compactBytes
                == Array(#"{"status":21007}"#.utf8))
        #expect(
            try await store.verify(production).compactBytes
                == Array(#"{"status":21008}"#.utf8))
    }

    @Test func `another app's transaction receipt verifies and is its backend's to refuse`()
        async throws
    {
        let answer = try await store.verify(try signed(from: .sandbox))
        #expect(answer["status"]?.integer == 0)
        #expect(answer["receipt"]?["bid"]?.string == "com.example.another")
    }

    @Test(
        arguments: [
            "", #","password":"x""#, #","password":"0123456789abcdef0123456789abcdef""#, nil,
        ] as [String?])
    func `a subscription's transaction receipt needs the right shared secret`(wrong: String?)
        async throws
    {
        try await store.stock()
        let made = try await store.control(
            "POST", "/control/v1/apps/\(TestStore.bundleID)/secrets",
            body: MakeSecretBody(overlapMilliseconds: nil))
        let secret = try WireJSON.decode(MadeSecretBody.self, from: made.body).secret
        let password = wrong ?? #","password":"\#(secret)""#
        var info = Self.info
        info.bundleID = TestStore.bundleID
        info.subscription = .init(
            expiresAt: TestStore.start.adding(milliseconds: 86_400_000), webOrderLineItemID: 5,
            isTrialPeriod: false, isInIntroOfferPeriod: false)
        let (subscription, plain) = (
            Data(try signed(info, from: .sandbox)), Data(try signed(from: .sandbox))
        )
        for (receipt, base, status) in [
            // With the right one it is found that nobody here has that subscription.
            (subscription, "/sandbox", wrong == nil ? 21010 : 21004),
            (subscription, "/production", 21007), (plain, "/sandbox", 0),
        ] {
            let body = #"{"receipt-data":"\#(receipt.base64EncodedString())"\#(password)}"#
            let answer = await store.send(
                "POST", "\(base)/verifyReceipt", body: Array(body.utf8))
            let found = try JSONValue(parsing: answer.body)
            #expect(found["status"]?.integer == Int64(status))
            if status != 0 { #expect(answer.body == Array(#"{"status":\#(status)}"#.utf8)) }
        }
    }

    @Test func `a transaction receipt of another world is not authentic here`() async throws {
        for name in ["one", "two"] {
            _ = try await store.control(
                "POST", "/control/v1/worlds", body: MakeWorldBody(name: name))
        }
        try await store.stock(world: "/t/one")
        let token = try await store.signIn(in: "/t/one/sandbox")
        let id = try await store.buy(Samples.fuel, token: token, in: "/t/one/sandbox")
            .transactionId
        let receipt = try await store.transactionReceipt(
            id, token: token, in: "/t/one/sandbox")
        for (base, status) in [
            ("/t/one/sandbox", 0), ("/t/one/production", 21007), ("/t/two/sandbox", 21003),
            ("/t/two/production", 21003), ("/sandbox", 21003), ("/production", 21003),
        ] {
            let found = try await store.verify(receipt, at: base)["status"]?.integer
            #expect(found == Int64(status), "\(base)")
        }
    }

    @Test(arguments: [
        ("{", 21002), ("{}", 21002), ("  {", 21002), ("{\"signature\" = \"AAAA\";}", 21002),
        ("{\"signature\" = \"AAAA\";\"purchase-info\" = \"AAAA\";}", 21002),
        ("{\"signature\" = \"AgAA\";\"purchase-info\" = {};}", 21002), ("(", 21002),
    ])
    func `text that is not a receipt is malformed`(text: String, status: Int) async throws {
        let answer = try await store.verify(Array(text.utf8))
        #expect(answer.compactBytes == Array(#"{"status":\#(status)}"#.utf8))
    }

    @Test func `an altered transaction receipt is refused with only a status`() async throws {
        let receipt = try signed(from: .sandbox)
        for place in stride(from: 0, to: receipt.count, by: 53) {
            var altered = receipt
            altered[place] ^= 1
            let answer = try await store.verify(altered)
            let status = try #require(answer["status"]?.integer)
            #expect([21002, 21003].contains(status), "byte \(place)")
            #expect(answer.compactBytes == Array(#"{"status":\#(status)}"#.utf8))
        }
    }

    @Test func `whitespace around a receipt is accepted`() async throws {
        let receipt = try signed(from: .sandbox)
        let blanks = Array(" \r\n\t".utf8)
        #expect(try await store.verify(blanks + receipt + blanks)["status"]?.integer == 0)
    }
}
