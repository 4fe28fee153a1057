import Foundation
import StoreCaller
import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import PurchaseBackend

@Suite(.ownThreads) struct ReceiptScenarioTests {
    @Test func `a purchase is granted with its content and fields`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init())
        let fields = ["level": "3", "": "empty name", "text": "ü \"quoted\" \u{0} \n/"]
        let answer = try rig.submit(token, passThrough: fields)
        try expectGolden(answer.transcript, "receipts-granted")
        #expect(try answer.outcome.passThrough == fields)
        #expect(rig.store.requests.map(\.url) == ["http://store/production/verifyReceipt"])
        try expectGolden(
            String(decoding: rig.store.requests[0].body ?? [], as: UTF8.self), "verify-request")
    }

    @Test func `a repeated submission returns the content again and grants once`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init())
        #expect(try rig.submit(token).outcome.status == .granted)
        try expectGolden(rig.submit(token).transcript, "receipts-already-granted")
        #expect(try rig.count("SELECT count(*) FROM grants") == 1)
        #expect(try rig.count("SELECT count(*) FROM submissions") == 2)
        #expect(try rig.count("SELECT count(*) FROM receipts") == 1)
    }

    @Test func `a replay by another user is refused`() throws {
        let rig = try Rig()
        let dora = try rig.signUp("dora")
        let emil = try rig.signUp("emil")
        rig.store.verified(.init())
        #expect(try rig.submit(dora).status == 200)
        try expectGolden(rig.submit(emil).transcript, "receipts-owned-by-another")
    }

    @Test(arguments: ["turbo", "pass"])
    func `buying an owned product again counts as the first purchase`(product: String) throws {
        let rig = try Rig()
        let dora = try rig.signUp("dora")
        let emil = try rig.signUp("emil")
        let original = "1000000000000001"
        rig.store.verified(
            .init(product: product, transaction: original),
            .init(product: product, transaction: "1000000000000009", original: original))
        #expect(try rig.submit(dora, product: product).outcome.status == .granted)
        let again = try rig.submit(dora, product: product, transaction: "1000000000000009")
        #expect(try again.outcome.status == .alreadyGranted)
        #expect(try again.outcome.content != nil)
        let other = try rig.submit(emil, product: product, transaction: "1000000000000009")
        #expect(other.status == 403)
        #expect(try rig.count("SELECT count(*) FROM grants") == 1)
    }

    @Test func `two consumables give two grants`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init(transaction: "1"), .init(transaction: "2"))
        #expect(try rig.submit(token, transaction: "1").outcome.status == .granted)
        #expect(try rig.submit(token, transaction: "2").outcome.status == .granted)
        #expect(try rig.count("SELECT count(*) FROM grants") == 2)
    }

    @Test(arguments: [21_002, 21_003, 21_006, 21_008, 21_010])
    func `a receipt the store refuses is refused with its status`(status: Int) throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.text(StoreAnswers.status(status)))
        let answer = try rig.submit(token)
        #expect(answer.status == 422)
        #expect(try answer.outcome.reason == "storeRefused")
        #expect(try answer.outcome.storeStatus == status)
        #expect(try answer.outcome.message?.contains("\(status)") == true)
        if status == 21_003 { try expectGolden(answer.transcript, "receipts-store-refused") }
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let reason: String
        var bundle = "com.example.rocketcar"
        var version = "1.2"
        var product = "coins"
        var transaction = "1000000000000001"
        var isCancelled = false

        var testDescription: String { reason }
    }

    @Test(arguments: [
        Refused(reason: "wrongBundle", bundle: "com.example.other"),
        Refused(reason: "wrongVersion", version: "1.3"),
        Refused(reason: "productUnknown", product: "gems"),
        Refused(reason: "transactionNotInReceipt", transaction: "5"),
        Refused(reason: "cancelled", isCancelled: true),
    ])
    func `a mismatched receipt is refused`(row: Refused) throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(
            .text(
                StoreAnswers.verified(
                    [.init(isCancelled: row.isCancelled)], bundle: row.bundle,
                    version: row.version)))
        let answer = try rig.submit(token, product: row.product, transaction: row.transaction)
        try expectGolden(answer.transcript, "receipts-" + row.reason)
        #expect(try rig.count("SELECT count(*) FROM grants") == 0)
    }

    @Test func `production is asked first and then the sandbox when it is allowed`() throws {
        let rig = try Rig(allowsSandbox: true)
        let token = try rig.signUp()
        rig.store.answer(.text(StoreAnswers.status(21_007)))
        rig.store.answer(
            .text(StoreAnswers.verified([.init()], environment: .sandbox)), in: .sandbox)
        #expect(try rig.submit(token).outcome.status == .granted)
        #expect(
            rig.store.requests.map(\.url) == [
                "http://store/production/verifyReceipt", "http://store/sandbox/verifyReceipt",
            ])
    }

    @Test func `the sandbox is not asked when it is not allowed`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.text(StoreAnswers.status(21_007)))
        try expectGolden(rig.submit(token).transcript, "receipts-sandboxNotAllowed")
        #expect(rig.store.requests.count == 1)
    }

    @Test func `an unreachable sandbox keeps the receipt`() throws {
        let rig = try Rig(allowsSandbox: true)
        let token = try rig.signUp()
        rig.store.answer(.text(StoreAnswers.status(21_007)))
        rig.store.answer(.failure(.unreachable), in: .sandbox)
        #expect(try rig.submit(token).status == 202)
    }

    @Test func `a submission's state is shown only to its user`() throws {
        let rig = try Rig()
        let dora = try rig.signUp("dora")
        let emil = try rig.signUp("emil")
        rig.store.verified(.init())
        let granted = try rig.submit(dora, passThrough: ["a": "b"]).outcome
        let path = "/v1/receipts/" + granted.submissionId
        let state = try rig.send("GET", path, token: dora)
        #expect(try state.outcome == granted)
        let other = try rig.send("GET", path, token: emil)
        #expect(other.status == 404)
        let missing = try rig.send("GET", "/v1/receipts/s-none", token: emil)
        #expect(other == missing)
        #expect(try rig.send("GET", path).status == 401)
    }

    @Test func `a user's purchases appear on another device`() throws {
        let rig = try Rig()
        let dora = try rig.signUp("dora")
        let emil = try rig.signUp("emil")
        rig.store.verified(
            .init(), .init(product: "turbo", transaction: "2"),
            .init(product: "flag", transaction: "3"), .init(product: "pass", transaction: "4"))
        for (product, transaction) in [
            ("coins", "1000000000000001"), ("turbo", "2"), ("flag", "3"), ("pass", "4"),
        ] {
            let answer = try rig.submit(dora, product: product, transaction: transaction)
            #expect(answer.status == 200)
            rig.clock.advance(milliseconds: 1)
        }
        try expectGolden(rig.send("GET", "/v1/purchases", token: dora).transcript, "purchases")
        try expectGolden(
            rig.send("GET", "/v1/purchases", token: emil).transcript, "purchases-none")
        let content = "/v1/products/turbo/content"
        try expectGolden(rig.send("GET", content, token: dora).transcript, "content")
        #expect(try rig.send("GET", content, token: emil).status == 404)
        #expect(try rig.send("GET", "/v1/products/flag/content", token: dora).status == 404)
        #expect(try rig.send("GET", content).status == 401)
    }

    @Test func `every step of a submission is kept for audit`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.failure(.timedOut))
        _ = try rig.submit(token)
        rig.clock.advance(milliseconds: 60_000)
        rig.store.verified(.init())
        rig.parts.worker.round()
        let events = try rig.database.read { scope in
            try scope.rows("SELECT state, detail FROM submission_events ORDER BY id")
                .map { $0.text(0) }
        }
        #expect(events == ["received", "kept", "granted"])
        let receipt = try rig.database.read { try $0.row("SELECT bytes FROM receipts")?.blob(0) }
        #expect(receipt == Array("receipt".utf8))
    }

    @Test func `a receipt is on record before the store is asked about it`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        let gate = Gate()
        rig.store.answer(.held(gate, StoreAnswers.verified([.init()])))
        let waiting = rig.begin("POST", "/v1/receipts", token: token, try Rig.submission())
        try eventually { rig.store.requests.count == 1 }
        let recorded = try rig.database.read { try $0.row("SELECT bytes FROM receipts")?.blob(0) }
        #expect(recorded == Array("receipt".utf8))
        #expect(try rig.count("SELECT count(*) FROM submissions") == 1)
        #expect(try rig.count("SELECT count(*) FROM grants") == 0)
        gate.open()
        #expect(try waiting.answer().outcome.status == .granted)
    }

    @Test func `the log names the purchase and only counts the receipt`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init())
        _ = try rig.submit(token)
        let stored = try #require(rig.log.first { $0.contains("\"receipt.stored\"") })
        #expect(
            stored.contains("\"event\":\"receipt.stored\",\"request\":\"test\",\"user\":\"u-"))
        #expect(stored.contains("\"transaction\":\"1000000000000001\""))
        #expect(stored.contains("\"receipt\":\"<7 bytes>\""))
        #expect(!rig.log.joined().contains("cmVjZWlwdA"))
        #expect(rig.log.contains { $0.contains("\"purchase.granted\"") })
    }
}
