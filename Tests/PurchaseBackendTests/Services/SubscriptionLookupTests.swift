import StoreHTTP
import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import PurchaseBackend

/// What the operator sees of subscriptions.
@Suite(.ownThreads) struct SubscriptionLookupTests {
    private typealias Answers = SubscriptionAnswers

    private func rig() throws -> Rig { try Rig(products: Rig.subscriptions, secret: "secret") }

    private func look(
        _ rig: Rig, _ query: (name: String, value: String)..., token: String? = Rig.operatorToken
    ) throws -> HTTPResponse {
        try rig.send("GET", "/operator/v1/subscriptions", token: token, query: query)
    }

    private func bodies(_ answer: HTTPResponse) throws -> OperatorSubscriptionsBody {
        try WireJSON.decode(OperatorSubscriptionsBody.self, from: answer.body)
    }

    private func subscribe(_ rig: Rig, _ token: String, _ transaction: String) throws {
        let period = Answers.Period(transaction: transaction, original: transaction)
        rig.store.answer(
            .text(Answers.unified([period], [.init(original: transaction)], latest: nil)))
        _ = try rig.submit(token, product: "gold.month", transaction: transaction)
        // It may have been answered as kept before, where the deadline is short.
        #expect(rig.parts.verificationPool.drain(milliseconds: 20_000))
        #expect(
            try rig.count(
                """
                SELECT count(*) FROM subscriptions WHERE original_transaction = '\(transaction)'
                """) == 1)
    }

    @Test func `a subscription is found by its transactions with its history`() throws {
        let rig = try rig()
        let token = try rig.signUp()
        let first = Answers.Period()
        let second = first.renewed("1000000000000002")
        rig.store.answer(.text(Answers.unified([first])))
        _ = try rig.submit(token, product: "gold.month")
        rig.clock.advance(milliseconds: Answers.day)
        rig.store.answer(.text(Answers.unified([second, first], at: second.begins)))
        rig.parts.subscriptionWorker.round()
        #expect(rig.parts.subscriptionWorker.pool.drain(milliseconds: 20_000))
        let found = try look(rig, ("transaction", "1000000000000001"))
        try expectGolden(found.transcript, "operator-subscriptions")
        #expect(try look(rig, ("transaction", "1000000000000002")) == found)
        #expect(!found.text.contains("bGF0ZXN0"))
        let submission = try rig.look(query: [("transaction", "1000000000000001")])
        #expect(submission.text.contains("\"kind\":\"autoRenewable\""))
    }

    @Test func `a user's subscriptions are paged`() throws {
        let rig = try rig()
        let token = try rig.signUp()
        for number in 1...5 { try subscribe(rig, token, "\(number)") }
        let other = try rig.signUp("emil")
        try subscribe(rig, other, "6")
        let first = try bodies(look(rig, ("user", "DORA"), ("limit", "3")))
        #expect(first.subscriptions.map(\.subscription.originalTransactionId) == ["5", "4", "3"])
        #expect(first.subscriptions.allSatisfy { $0.history == nil })
        let next = try #require(first.nextAfter)
        let second = try bodies(look(rig, ("user", "dora"), ("limit", "3"), ("after", next)))
        #expect(second.subscriptions.map(\.subscription.originalTransactionId) == ["2", "1"])
        #expect(second.nextAfter == nil)
        #expect(try bodies(look(rig, ("trouble", "true"))).subscriptions.isEmpty)
    }

    @Test func `an invalid subscription query is refused with the reason`() throws {
        let rig = try rig()
        #expect(try look(rig).status == 422)
        #expect(try look(rig, ("limit", "1")).errorCode == "badQuery")
        #expect(try look(rig, ("user", "a"), ("user", "b")).errorCode == "badQuery")
        #expect(try look(rig, ("trouble", "false")).errorCode == "badQuery")
        #expect(try look(rig, ("trouble", "true"), ("after", "x")).errorCode == "badQuery")
        #expect(try look(rig, ("trouble", "true"), ("limit", "0")).errorCode == "badQuery")
        #expect(try look(rig, ("color", "red")).errorCode == "badQuery")
        #expect(try look(rig, ("user", "nobody")).status == 404)
        #expect(try look(rig, ("transaction", "5")).status == 200)
    }

    @Test func `the operator's token is required, also to request a check`() throws {
        let rig = try rig()
        let token = try rig.signUp()
        let check = "/operator/v1/subscriptions/1000000000000001/check"
        #expect(try look(rig, ("user", "dora"), token: token).status == 401)
        #expect(try rig.send("POST", check, token: token).status == 401)
        let none = try rig.send("POST", check, token: Rig.operatorToken)
        #expect(none.status == 404)
        try subscribe(rig, token, "1000000000000001")
        #expect(try rig.send("POST", check, token: Rig.operatorToken).status == 200)
    }

    @Test func `a check is answered with what the store said to it`() throws {
        let rig = try rig()
        try subscribe(rig, try rig.signUp(), "1")
        rig.clock.advance(milliseconds: Answers.day)
        let first = Answers.Period(transaction: "1", original: "1")
        let second = first.renewed("2")
        rig.store.answer(
            .text(Answers.unified([second, first], [.init(original: "1")], at: second.begins)))
        let check = "/operator/v1/subscriptions/1/check"
        let checked = try bodies(rig.send("POST", check, token: Rig.operatorToken))
        #expect(checked.subscriptions.map(\.subscription.expires) == [second.ends])
        #expect(checked.subscriptions.first?.history?.map(\.event) == ["began", "renewed"])
        rig.store.answer(.failure(.unreachable))
        let failed = try bodies(rig.send("POST", check, token: Rig.operatorToken))
        #expect(failed.subscriptions.first?.trouble?.contains("no answer") == true)
        #expect(failed.subscriptions.first?.failures == 1)
    }

    @Test func `a check that waits for the store too long is made later`() throws {
        let rig = try Rig(products: Rig.subscriptions, secret: "secret") {
            $0.answerDeadlineMilliseconds = 50
        }
        try subscribe(rig, try rig.signUp(), "1")
        let gate = Gate()
        defer { gate.open() }
        rig.store.answer(.held(gate, StoreAnswers.status(21_005)))
        let late = try rig.send(
            "POST", "/operator/v1/subscriptions/1/check", token: Rig.operatorToken)
        #expect(late.status == 503)
        #expect(try late.errorCode == "stillAsking")
        #expect(
            try rig.count("SELECT next_check_at FROM subscriptions")
                == rig.clock.now.milliseconds)
    }

    @Test func `the subscription history is append-only`() throws {
        let rig = try rig()
        try subscribe(rig, try rig.signUp(), "1")
        for change in ["UPDATE subscription_events SET at = 1", "DELETE FROM subscription_events"] {
            #expect(throws: (any Error).self) {
                try rig.database.write { _ = try $0.execute(change) }
            }
        }
    }
}
