import Foundation
import StoreHTTP
import StoreModel
import StoreSigning
import StoreVerification
import StoreWire
import Testing

@testable import AppStoreServer

/// Receipts, decoded for the store's owner.
struct ReceiptExplanationTests {
    private func explained(
        _ receipt: [UInt8], at store: TestStore, world: String = ""
    ) async throws -> ExplainedReceiptBody {
        let answer = try await store.control(
            "POST", "\(world)/control/v1/receipts/explain",
            body: ExplainReceiptBody(receipt: Data(receipt).base64EncodedString()))
        answer.expectStatus(200)
        return try WireJSON.decode(ExplainedReceiptBody.self, from: answer.body)
    }

    @Test func `every attribute has its number, name, meaning and value`() async throws {
        let store = try TestStore()
        try await store.stock()
        let token = try await store.signIn()
        let bought = try await store.buy(Samples.turbo, token: token)
        let body = try await explained(try await store.receipt(token: token), at: store)
        #expect(body.form == .app && body.verdict.isAuthentic && body.verdict.status == 0)
        #expect(body.verdict.environment == .sandbox && body.verdict.isTest == false)
        #expect(body.verdict.worldId == store.registry.defaultWorld.id)
        let values = Dictionary(
            uniqueKeysWithValues: body.attributes.map { ($0.number ?? -1, $0) })
        #expect(values[2]?.value == TestStore.bundleID)
        #expect(values[2]?.name == "Bundle Identifier" && values[2]?.meaning == "The app.")
        #expect(values[3]?.value == "1.0" && values[12]?.value == "2024-05-01T10:20:30Z")
        #expect(values[5]?.value.count == 40 && values[8]?.value == "")
        #expect(
            body.attributes.map(\.number)
                == body.attributes.map(\.number).sorted { $0 ?? 0 < $1 ?? 0 })
        let purchase = try #require(body.purchases.first)
        #expect(body.purchases.count == 1)
        let sold = Dictionary(uniqueKeysWithValues: purchase.map { ($0.number ?? -1, $0.value) })
        #expect(sold[1702] == Samples.turbo && sold[1703] == bought.transactionId)
        #expect(sold[1701] == "1" && sold[1708] == "")
    }

    @Test func `an altered receipt and one of another world are decoded and not authentic`()
        async throws
    {
        let store = try TestStore()
        try await store.stock()
        let token = try await store.signIn()
        _ = try await store.buy(Samples.turbo, token: token)
        let receipt = try await store.receipt(token: token)
        var altered = receipt
        let place = try #require(receipt.firstRange(of: Array(TestStore.bundleID.utf8)))
        altered[place.lowerBound] ^= 1
        let forged = try await explained(altered, at: store)
        #expect(!forged.verdict.isAuthentic && forged.verdict.status == 21_003)
        #expect(failed(forged) == [.signature])
        #expect(forged.certificates.count == 3)
        #expect(forged.verdict.why != nil && forged.verdict.environment == nil)
        #expect(forged.attributes.first { $0.number == 2 }?.value == "bom.example.rocketcar")
        try await store.control(
            "POST", "/control/v1/worlds", body: MakeWorldBody(name: "other")
        ).expectStatus(201)
        let foreign = try await explained(receipt, at: store, world: "/t/other")
        #expect(!foreign.verdict.isAuthentic && foreign.verdict.status == 21_003)
        #expect(failed(foreign) == [.world])
        #expect(foreign.verdict.worldId == store.registry.defaultWorld.id)
        #expect(foreign.purchases.count == 1)
    }

    @Test func `a transaction's own receipt is decoded by its names`() async throws {
        let store = try TestStore()
        try await store.stock()
        let answer = try await store.control(
            "POST", "/control/v1/purchases?receipts=true",
            body: MakePurchaseBody(
                attemptId: UUID().uuidString, account: "buyer", bundleId: TestStore.bundleID,
                productId: Samples.fuel))
        let bought = try WireJSON.decode(AttemptAnswerBody.self, from: answer.body)
        let receipt = try #require(
            bought.receipts.flatMap { Data(base64Encoded: $0.transactionReceipt) })
        let body = try await explained(Array(receipt), at: store)
        #expect(body.form == .transaction && body.verdict.isAuthentic && body.purchases.isEmpty)
        #expect(body.checks.map(\.check) == TransactionReceiptVerifier.checks + [.world])
        #expect(body.checks.allSatisfy { $0.outcome == .passed } && body.certificates.count == 1)
        let id = body.attributes.first { $0.name == "transaction-id" }
        #expect(id?.value == bought.transaction?.transactionId && id?.number == nil)
    }

    @Test func `base64 with line breaks is read, as by verifyReceipt`() async throws {
        let store = try TestStore()
        try await store.stock()
        let token = try await store.signIn()
        _ = try await store.buy(Samples.turbo, token: token)
        let text = Data(try await store.receipt(token: token)).base64EncodedString(
            options: [.lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed])
        #expect(try await explained(text: text, at: store).verdict.isAuthentic)
    }

    @Test func `what is not a receipt gets the reason`() async throws {
        let store = try TestStore()
        for bytes in [[], Array("hello".utf8), Array("{ }".utf8), [0x30, 0x00]] {
            let body = try await explained(bytes, at: store)
            #expect(!body.verdict.isAuthentic && body.verdict.status == 21_002)
            #expect(body.verdict.why?.isEmpty == false && body.attributes.isEmpty)
            #expect(failed(body) == [.form] && body.certificates.isEmpty)
        }
    }

    private func failed(_ body: ExplainedReceiptBody) -> [VerificationCheck] {
        body.checks.filter { $0.outcome == .failed }.map(\.check)
    }

    private func explained(
        text: String, at store: TestStore, world: String = ""
    ) async throws -> ExplainedReceiptBody {
        let answer = try await store.control(
            "POST", "\(world)/control/v1/receipts/explain", body: ExplainReceiptBody(receipt: text))
        answer.expectStatus(200)
        return try WireJSON.decode(ExplainedReceiptBody.self, from: answer.body)
    }

    private func signedTransaction(_ id: String, at store: TestStore) async throws -> String {
        let server = try await ServerAPIFixture(of: store)
        let answer = await server.ask("GET", "/inApps/v1/transactions/\(id)")
        return try #require(JSONValue(parsing: answer.body)["signedTransactionInfo"]?.string)
    }

    @Test func `signed data are explained check by check`() async throws {
        let store = try TestStore()
        try await store.stock()
        let token = try await store.signIn()
        let bought = try await store.buy(Samples.turbo, token: token)
        let jws = try await signedTransaction(bought.transactionId, at: store)
        let body = try await explained(text: jws, at: store)
        #expect(body.form == .signedData && body.verdict.isAuthentic && body.verdict.why == nil)
        #expect(body.checks.map(\.check) == SignedDataVerifier.checks + [.world, .revocation])
        #expect(body.checks.allSatisfy { $0.outcome == .passed })
        #expect(body.verdict.environment == .sandbox && body.verdict.status == 21_002)
        #expect(body.payload?.contains(bought.transactionId) == true && body.attributes.isEmpty)
        #expect(body.certificates.count == 3)
        // Each part is checked: header, payload and signature.
        var parts = jws.split(separator: ".").map(String.init)
        let other = try await signedTransaction(
            try await store.buy(Samples.fuel, token: token).transactionId, at: store)
        parts[1] = String(other.split(separator: ".")[1])
        let forged = try await explained(text: parts.joined(separator: "."), at: store)
        #expect(failed(forged) == [.signature] && !forged.verdict.isAuthentic)
        #expect(forged.verdict.status == 21_002 && forged.verdict.environment == nil)
        #expect(forged.payload?.contains(Samples.fuel) == true)
        for text in ["a.b.c", ".", "..", "eyJ9.e30.AA", jws + ".", jws + ".x"] {
            let rubbish = try await explained(text: text, at: store)
            #expect(failed(rubbish) == [.form] && rubbish.payload == nil, "\(text)")
        }
    }

    @Test(arguments: 0...2, ["no base64", "bm90IGEgY2VydGlmaWNhdGU="])
    func `certificates before the first that cannot be read keep their places`(
        place: Int, text: String
    ) async throws {
        let store = try TestStore()
        try await store.stock()
        let bought = try await store.buy(Samples.turbo, token: try await store.signIn())
        let jws = try await signedTransaction(bought.transactionId, at: store)
        let whole = try await explained(text: jws, at: store).certificates
        let chain = try CompactJWS<SignedDataHeader>(jws).header.x5c
        var parts = jws.split(separator: ".").map(String.init)
        let header = try #require(StrictBase64.urlBytes(parts[0]))
        // JSON may escape the slash.
        let json = String(decoding: header, as: UTF8.self).replacing("\\/", with: "/")
        parts[0] = StrictBase64.urlText(Array(json.replacing(chain[place], with: text).utf8))
        let shown = try await explained(text: parts.joined(separator: ".") + "\n", at: store)
        #expect(shown.certificates == Array(whole.prefix(place)))
        #expect(!shown.verdict.isAuthentic && shown.payload != nil)
    }

    @Test func `signed data of another world, and under a revoked certificate, are not authentic`()
        async throws
    {
        let store = try TestStore()
        try await store.stock()
        let token = try await store.signIn()
        let bought = try await store.buy(Samples.turbo, token: token)
        let jws = try await signedTransaction(bought.transactionId, at: store)
        try await store.control(
            "POST", "/control/v1/worlds", body: MakeWorldBody(name: "other")
        ).expectStatus(201)
        let foreign = try await explained(text: jws, at: store, world: "/t/other")
        #expect(failed(foreign) == [.world])
        #expect(foreign.checks.last?.outcome == .notReached)
        #expect(foreign.verdict.worldId == store.registry.defaultWorld.id)
        try await store.control(
            "POST", "/control/v1/certificates/sandbox/intermediate/revoke"
        ).expectStatus(200)
        let revoked = try await explained(text: jws, at: store)
        #expect(failed(revoked) == [.revocation] && !revoked.verdict.isAuthentic)
        #expect(revoked.verdict.why?.contains("intermediate") == true)
    }
}
