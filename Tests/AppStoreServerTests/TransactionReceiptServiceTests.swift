import Foundation
import StoreHTTP
import StoreModel
import StoreSigning
import StoreWire
import TestSupport
import Testing

@testable import AppStoreServer

extension TestStore {
    func askForTransactionReceipts(
        _ ids: [String], token: String?, in base: String = "/sandbox"
    ) async throws -> HTTPResponse {
        await send(
            "POST", "\(base)/device/v1/transaction-receipts", token: token,
            body: try WireJSON.encode(TransactionReceiptsRequestBody(transactionIds: ids)))
    }

    /// The receipts of some transactions, in the order answered.
    func transactionReceipts(
        _ ids: [String], token: String, in base: String = "/sandbox"
    ) async throws -> [(id: String, bytes: [UInt8])] {
        let answer = try await askForTransactionReceipts(ids, token: token, in: base)
        try #require(answer.status == 200)
        let body = try WireJSON.decode(TransactionReceiptsAnswerBody.self, from: answer.body)
        return try body.receipts.map {
            ($0.transactionId, Array(try #require(Data(base64Encoded: $0.receipt))))
        }
    }

    func transactionReceipt(
        _ id: String, token: String, in base: String = "/sandbox"
    ) async throws -> [UInt8] {
        try #require(try await transactionReceipts([id], token: token, in: base).first).bytes
    }
}

struct TransactionReceiptServiceTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func verified(_ receipt: [UInt8]) throws -> TransactionReceiptInfo {
        try store.parts.transactionVerifier.verify(receipt).info
    }

    @Test func `a transaction receipt shows the transaction and the device`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let first = try await store.buy(Samples.turbo, token: token)
        store.move(byMilliseconds: 5_001)
        let again = try await store.buy(Samples.turbo, token: token)
        let fuel = try await store.buy(Samples.fuel, quantity: 7, token: token)
        for transaction in [first, again, fuel] {
            let info = try verified(
                try await store.transactionReceipt(transaction.transactionId, token: token))
            #expect(info.productID == transaction.productId)
            #expect(info.quantity == Int64(transaction.quantity))
            #expect(info.transactionID == transaction.transactionId)
            #expect(info.originalTransactionID == transaction.originalTransactionId)
            #expect(info.purchasedAt == transaction.purchaseDate)
            #expect(info.originallyPurchasedAt == transaction.originalPurchaseDate)
            #expect(info.bundleID == TestStore.bundleID)
            #expect(info.applicationVersion == "1.0")
            #expect(info.vendorIdentifier == TestStore.guid)
            #expect(info.subscription == nil)
        }
        #expect(again.originalTransactionId == first.transactionId)
    }

    @Test func `a transaction receipt keeps its bytes after a finish and a restart`() async throws {
        let folder = TemporaryFolder()
        var store: TestStore? = try TestStore(folder: folder)
        try await store?.stock()
        let token = try await #require(store).signIn()
        let bought = try await #require(store).buy(Samples.fuel, token: token)
        let id = bought.transactionId
        let receipt = try await #require(store).transactionReceipt(id, token: token)
        _ = await store?.send(
            "POST", "/sandbox/device/v1/transactions/\(id)/finish", token: token)
        #expect(try await #require(store).transactionReceipt(id, token: token) == receipt)
        store = nil
        let again = try TestStore(folder: folder)
        #expect(try await again.transactionReceipt(id, token: token) == receipt)
        #expect(try await again.verify(receipt)["status"]?.integer == 0)
    }

    @Test func `each device gets its own transaction receipt, for its app version`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let id = try await store.buy(Samples.turbo, token: token).transactionId
        let guid = "11111111-2222-4333-8444-555555555555"
        let other = try await store.signIn(guid: guid)
        let theirs = try verified(try await store.transactionReceipt(id, token: other))
        #expect(theirs.vendorIdentifier == guid)
        _ = await store.send(
            "POST", "/sandbox/device/v1/register", token: token,
            body: try WireJSON.encode(
                RegisterDeviceBody(
                    guid: TestStore.guid, bundleId: TestStore.bundleID, appVersion: "2.0")))
        let updated = try verified(try await store.transactionReceipt(id, token: token))
        #expect(updated.applicationVersion == "2.0")
        #expect(updated.vendorIdentifier == TestStore.guid)
    }

    @Test func `several transaction receipts come in the order requested, without unknown ones`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        var ids: [String] = []
        for _ in 0..<5 { ids.append(try await store.buy(Samples.fuel, token: token).transactionId) }
        let asked = ids.reversed() + ["1", "9999999999999999", ids[0]]
        let answered = try await store.transactionReceipts(asked, token: token)
        #expect(answered.map(\.id) == ids.reversed() + [ids[0]])
        #expect(try answered.map { try verified($0.bytes).transactionID } == answered.map(\.id))
        #expect(try await store.transactionReceipts(["7"], token: token).isEmpty)
    }

    @Test func `transactions of other accounts, apps and environments are not revealed`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let id = try await store.buy(Samples.turbo, token: token).transactionId
        _ = try await store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "other", password: "rocket-fuel-1",
                storefront: nil))
        let other = try await store.signIn(
            guid: "11111111-2222-4333-8444-555555555555", account: "other")
        #expect(try await store.transactionReceipts([id], token: other).isEmpty)
        let imported = await store.send(
            "PUT", "/control/v1/apps/com.example.second/catalog",
            token: TestStore.controlToken, body: Array(Samples.catalogue.utf8))
        #expect(imported.status == 200)
        let registered = await store.send(
            "POST", "/sandbox/device/v1/register",
            body: try WireJSON.encode(
                RegisterDeviceBody(
                    guid: TestStore.guid, bundleId: "com.example.second", appVersion: "1")))
        let second = try WireJSON.decode(DeviceSessionBody.self, from: registered.body)
        let signedIn = await store.send(
            "POST", "/sandbox/device/v1/sign-in", token: second.deviceToken,
            body: try WireJSON.encode(SignInBody(account: "buyer", password: "rocket-fuel-1")))
        let there = try WireJSON.decode(DeviceSessionBody.self, from: signedIn.body)
        #expect(
            try await store.transactionReceipts([id], token: there.deviceToken).isEmpty)
        let production = try await store.askForTransactionReceipts(
            [id], token: token, in: "/production")
        #expect(errorCode(production) == "tokenUnknown")
    }

    @Test(arguments: [
        (#"{"transactionIds":[]}"#, 422, "1 to 100 transactions, not 0"),
        (#"{"transactionIds":["x"]}"#, 422, "transactionIds[0] is not a transaction's number"),
        (#"{"transactionIds":["0"]}"#, 422, "transactionIds[0] is not a transaction's number"),
        (#"{"transactionIds":["-1"]}"#, 422, "transactionIds[0] is not a transaction's number"),
        (#"{"transactionIds":["10000000000000000"]}"#, 422, "transactionIds[0]"),
        (#"{"transactionIds":["1","02"]}"#, 422, "transactionIds[1] is not a transaction's number"),
        (#"{"transactionIds":["1","9223372036854775808"]}"#, 422, "transactionIds[1]"),
        (#"{"transactionIds":[1]}"#, 400, "transactionIds.[0] is not a string"),
        (#"{"transactionIds":"1"}"#, 400, "transactionIds is not"),
        ("{}", 400, "transactionIds is missing"), ("", 400, "The body is not as expected"),
        ("[]", 400, "The body is not as expected"),
    ])
    func `an invalid transaction receipt request is refused with the place`(
        body: String, status: Int, problem: String
    )
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let answer = await store.send(
            "POST", "/sandbox/device/v1/transaction-receipts", token: token,
            body: Array(body.utf8))
        #expect(answer.status == status)
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(text.contains(problem), "\(text)")
    }

    @Test func `up to a hundred transaction receipts are answered, and none without signing in`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let id = try await store.buy(Samples.fuel, token: token).transactionId
        let full = Array(repeating: id, count: TransactionReceiptsRequestBody.transactionsMax)
        #expect(try await store.transactionReceipts(full, token: token).count == full.count)
        let more = try await store.askForTransactionReceipts(full + [id], token: token)
        #expect(more.status == 422)
        #expect(
            errorCode(try await store.askForTransactionReceipts([id], token: nil))
                == "tokenUnknown")
        let nobody = try await store.register(guid: "11111111-2222-4333-8444-555555555555")
        #expect(
            errorCode(try await store.askForTransactionReceipts([id], token: nobody))
                == "notSignedIn")
        let wrong = await store.send(
            "GET", "/sandbox/device/v1/transaction-receipts", token: token)
        #expect(wrong.status == 405)
    }
}
