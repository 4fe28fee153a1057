import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreWire
import Testing

@testable import AppStoreServer

/// What the owner buys and restores for accounts, on the devices that the store keeps for them.
struct OwnerPurchaseTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func buy(
        _ product: String = Samples.fuel, id: String = UUID().uuidString,
        account: String = "buyer", in environment: StoreEnvironment? = nil,
        app: String = TestStore.bundleID, version: String? = nil, quantity: Int? = nil,
        user: String? = nil, finish: Bool? = nil
    ) async throws -> HTTPResponse {
        try await store.control(
            "POST", "/control/v1/purchases?receipts=true",
            body: MakePurchaseBody(
                attemptId: id, environment: environment, account: account, bundleId: app,
                appVersion: version, productId: product, quantity: quantity,
                applicationUsername: user, finish: finish))
    }

    private func restore(
        id: String = UUID().uuidString, finish: Bool? = nil
    ) async throws -> RestoreAnswerBody {
        let answer = try await store.control(
            "POST", "/control/v1/restores",
            body: MakeRestoreBody(
                restoreId: id, account: "buyer", bundleId: TestStore.bundleID, finish: finish))
        answer.expectStatus(200)
        return try WireJSON.decode(RestoreAnswerBody.self, from: answer.body)
    }

    private func state(_ response: HTTPResponse) throws -> AttemptAnswerBody {
        response.expectStatus(200)
        return try WireJSON.decode(AttemptAnswerBody.self, from: response.body)
    }

    private func count(_ table: String) throws -> Int64 {
        try store.registry.defaultWorld.database.read {
            try $0.row("SELECT count(*) FROM \(table)")?.integer(0) ?? -1
        }
    }

    @Test func `the owner's purchase is one of a device, with a receipt that verifies`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let bought = try state(try await buy(quantity: 2, user: "driver-7"))
        let transaction = try #require(bought.transaction)
        #expect(bought.state == .done && transaction.quantity == 2)
        #expect(transaction.applicationUsername == "driver-7" && transaction.isFinished == nil)
        #expect(transaction.deviceGuid != TestStore.guid)
        let receipt = try #require(
            bought.receipts.flatMap { Data(base64Encoded: $0.receipt) }.map { Array($0) })
        let verified = try await store.verify(receipt)
        #expect(verified["status"] == .integer(0))
        let shown = verified["receipt"]?["in_app"]?.array?.first?["transaction_id"]?.string
        #expect(shown == transaction.transactionId)
        let waiting = await store.send("GET", "/sandbox/device/v1/transactions", token: token)
        let unfinished = try WireJSON.decode(UnfinishedBody.self, from: waiting.body)
        #expect(
            unfinished.transactions.map(\.transactionId) == [transaction.transactionId],
            "the customer's own device gets it as well")
        #expect(try count("device") == 2)
    }

    @Test func `a repeated request is the same purchase, also after a sign-out and a restore`()
        async throws
    {
        try await store.stock()
        let id = UUID().uuidString
        let first = try state(try await buy(id: id))
        let again = try state(try await buy(id: id))
        #expect(again.transaction == first.transaction)
        try await store.control(
            "POST", "/control/v1/accounts/sign-out", body: NamedAccountBody(name: "buyer")
        ).expectStatus(200)
        #expect(try state(try await buy(id: id)).transaction == first.transaction)
        let world = "/control/v1/worlds/default"
        try await store.control(
            "POST", "\(world)/snapshots", body: MakeSnapshotBody(name: "s")
        ).expectStatus(201)
        try await store.control(
            "POST", "\(world)/restore", body: RestoreWorldBody(snapshot: "s")
        ).expectStatus(200)
        #expect(try state(try await buy(id: id)).transaction == first.transaction)
        #expect(try count("store_transaction") == 1)
        #expect(try count("device") == 1)
        let other = try await buy(Samples.turbo, id: id)
        #expect(other.status == 409 && errorCode(other) == "attemptIdReused")
    }

    @Test func `an unknown account or app, and one of the other environment, buy nothing`()
        async throws
    {
        try await store.stock()
        for (answer, code) in [
            (try await buy(account: "nobody"), "accountUnknown"),
            (try await buy(in: .production), "accountUnknown"),
            (try await buy(app: "com.example.other"), "appUnknown"),
        ] {
            #expect(answer.status == 404 && errorCode(answer) == code)
        }
        for answer in [
            try await buy(id: "one"), try await buy(version: ""), try await buy(app: "a b"),
        ] {
            #expect(answer.status == 422 && errorCode(answer) == "badField")
        }
        for table in ["device", "device_token", "attempt"] { #expect(try count(table) == 0) }
    }

    @Test func `a locked account is refused until it is unlocked`() async throws {
        try await store.stock()
        _ = try state(try await buy())
        try await store.control(
            "POST", "/control/v1/accounts/lock",
            body: LockAccountBody(
                environment: nil, name: "buyer", reason: "Call us.", until: nil)
        ).expectStatus(200)
        let id = UUID().uuidString
        let refused = try await buy(id: id)
        #expect(refused.status == 423 && errorCode(refused) == "accountLocked")
        #expect(String(decoding: refused.body, as: UTF8.self).contains("Call us."))
        let path = "/control/v1/apps/\(TestStore.bundleID)/receipt?account=buyer"
        try await store.control("GET", path).expectStatus(423)
        #expect(try count("store_transaction") == 1)
        try await store.control(
            "POST", "/control/v1/accounts/unlock", body: NamedAccountBody(name: "buyer")
        ).expectStatus(200)
        #expect(try state(try await buy(id: id)).state == .done)
    }

    @Test func `a stranger who registers under the device's name gets nothing of it`() async throws
    {
        try await store.stock()
        try await store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "stranger", password: "rocket-fuel-1",
                storefront: nil)
        ).expectStatus(201)
        let first = try #require(try state(try await buy()).transaction)
        let token = try await store.signIn(guid: first.deviceGuid, account: "stranger")
        let list = await store.send("GET", "/sandbox/device/v1/transactions", token: token)
        let waiting = try WireJSON.decode(UnfinishedBody.self, from: list.body)
        #expect(waiting.transactions.isEmpty)
        let id = UUID().uuidString
        let second = try #require(try state(try await buy(id: id)).transaction)
        #expect(second.deviceGuid == first.deviceGuid)
        await store.send("GET", "/sandbox/device/v1/transactions", token: token).expectStatus(401)
        #expect(try state(try await buy(id: id)).transaction == second)
    }

    @Test func `a real account pays once, and nothing is bought without the money`() async throws {
        _ = try await store.openProduction()
        let poor = try state(try await buy(account: "payer", in: .production))
        #expect(poor.state == .refused && poor.refusal?.code == .insufficientCredit)
        try await store.topUp("1")
        let id = UUID().uuidString
        for _ in 0..<2 {
            let sold = try state(try await buy(id: id, account: "payer", in: .production))
            #expect(sold.state == .done)
        }
        #expect(try store.ledger() == ["topUp 1000", "charge -990 #1"])
        #expect(try store.ledgerFinding().state == .good)
    }

    @Test func `a declined card refuses the owner's purchase as any other`() async throws {
        let provider = ScriptedProvider()
        let store = try TestStore(provider: provider)
        _ = try await store.openProduction()
        provider.answerNext([.declined(reason: "no funds")])
        let body = MakePurchaseBody(
            attemptId: UUID().uuidString, environment: .production, account: "payer",
            bundleId: TestStore.bundleID, productId: Samples.fuel)
        let refused = try state(
            try await store.control("POST", "/control/v1/purchases", body: body))
        #expect(refused.state == .refused && refused.refusal?.code == .paymentDeclined)
        #expect(provider.asked == ["authorize 990"])
        #expect(try store.ledger() == [])
    }

    @Test func `both environments have their own device, account and transaction`() async throws {
        try await store.stock()
        try await store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .production, name: "buyer", password: "rocket-fuel-1",
                storefront: nil)
        ).expectStatus(201)
        let id = UUID().uuidString
        let tested = try state(try await buy(id: id))
        #expect(tested.state == .done)
        let real = try state(try await buy(id: id, in: .production))
        #expect(real.state == .refused && real.refusal?.code == .insufficientCredit)
        #expect(try count("device") == 2)
    }

    @Test func `a refusal is the answer, and stays it`() async throws {
        try await store.stock()
        let id = UUID().uuidString
        for _ in 0..<2 {
            let answer = try state(try await buy("com.example.absent", id: id))
            #expect(answer.state == .refused && answer.refusal?.code == .productUnknown)
        }
        let many = try state(try await buy(Samples.turbo, quantity: 2))
        #expect(many.refusal?.code == .quantityNotAllowed)
    }

    @Test func `a purchase waits for its approval, and is finished when asked again`() async throws
    {
        try await store.stock()
        try await store.control(
            "POST", "/control/v1/accounts/settings",
            body: AccountSettingsBody(
                name: "buyer", needsApproval: true, interruptsPurchases: nil)
        ).expectStatus(200)
        let id = UUID().uuidString
        let waits = try state(try await buy(id: id, finish: true))
        #expect(waits.state == .deferred && waits.transaction == nil && waits.receipts == nil)
        try await store.control("POST", "/control/v1/approvals/1/approve").expectStatus(200)
        let done = try state(try await buy(id: id, finish: true))
        #expect(done.state == .done && done.transaction?.isFinished == true)
        let receipt = try #require(done.receipts.flatMap { Data(base64Encoded: $0.receipt) })
        let shown = try await store.verify(Array(receipt))["receipt"]?["in_app"]?.array
        #expect(
            shown?.first?["transaction_id"]?.string == done.transaction?.transactionId,
            "the consumable is in the receipt of the moment before")
        #expect(try count("store_transaction") == 1)
    }

    @Test func `finishing comes after the receipt, and a repeated request finishes what is left`()
        async throws
    {
        try await store.stock()
        let id = UUID().uuidString
        let bought = try state(try await buy(id: id))
        #expect(bought.transaction?.isFinished == nil)
        let finished = try state(try await buy(id: id, finish: true))
        #expect(finished.transaction?.transactionId == bought.transaction?.transactionId)
        #expect(finished.transaction?.isFinished == true)
        let whole = try state(try await buy(finish: true))
        let receipt = try #require(whole.receipts.flatMap { Data(base64Encoded: $0.receipt) })
        let shown = try await store.verify(Array(receipt))["receipt"]?["in_app"]?.array
        #expect(shown?.count == 1, "the receipt of the moment still has the consumable")
    }

    @Test func `purchases are restored once for a request, and finished`() async throws {
        try await store.stock()
        let turbo = try state(try await buy(Samples.turbo, finish: true))
        let id = UUID().uuidString
        let first = try await restore(id: id)
        #expect(first.transactions.map(\.productId) == [Samples.turbo])
        #expect(
            first.transactions.first?.original?.transactionId == turbo.transaction?.transactionId)
        #expect(first.transactions.first?.isFinished == nil)
        let second = try await restore(id: id, finish: true)
        #expect(second.transactions.map(\.transactionId) == first.transactions.map(\.transactionId))
        #expect(second.transactions.allSatisfy { $0.isFinished == true })
        #expect(try count("store_transaction") == 2)
    }

    @Test func `the device has the version that the owner names`() async throws {
        try await store.stock()
        _ = try state(try await buy(version: "2.5"))
        let path = "/control/v1/apps/\(TestStore.bundleID)/receipt?account=buyer"
        for (query, version) in [("", "2.5"), ("&appVersion=3", "3")] {
            let answer = try await store.control("GET", path + query)
            answer.expectStatus(200)
            let verified = try await store.verify(answer.body)
            #expect(verified["receipt"]?["application_version"]?.string == version)
        }
        #expect(try count("device") == 1)
    }
}
