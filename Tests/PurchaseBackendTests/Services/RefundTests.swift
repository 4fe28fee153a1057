import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import PurchaseBackend

/// What becomes of a grant whose purchase the store takes back.
@Suite(.ownThreads) struct RefundTests {
    private func recheck(_ rig: Rig, _ id: String) throws -> OperatorRecheckBody {
        let answer = try rig.look("/\(id)/recheck", method: "POST")
        #expect(answer.status == 200, "\(answer.text)")
        return try WireJSON.decode(OperatorRecheckBody.self, from: answer.body)
    }

    private func owned(_ rig: Rig, _ token: String) throws -> [OwnedPurchasesBody.Purchase] {
        let answer = try rig.send("GET", "/v1/purchases", token: token)
        return try WireJSON.decode(OwnedPurchasesBody.self, from: answer.body).purchases
    }

    @Test func `a recheck marks a grant as refunded when the store revoked it`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init(product: "turbo"))
        let id = try rig.submit(token, product: "turbo").outcome.submissionId
        #expect(try recheck(rig, id).outcome == .stands)
        #expect(
            try rig.send("GET", "/v1/receipts/" + id, token: token).outcome.content != nil)
        #expect(try owned(rig, token).first?.refundedAt == nil)

        rig.store.verified(.init(product: "turbo", isCancelled: true))
        rig.clock.advance(milliseconds: 90_000_000)
        let found = try recheck(rig, id)
        #expect(found.outcome == .refunded)
        #expect(found.submission.grant?.refundedAt == 1_714_645_230_000)
        #expect(found.submission.grant?.refundSeenAt == rig.clock.now.milliseconds)
        #expect(found.submission.state == .granted, "that it was granted stays true")
        #expect(
            found.submission.history?.map(\.event)
                == ["received", "granted", "rechecked", "rechecked", "refunded"])
        #expect(try owned(rig, token).first?.refundedAt == 1_714_645_230_000)
        try expectGolden(
            rig.send("GET", "/v1/purchases", token: token).transcript, "purchases-refunded")
        let content = try rig.send("GET", "/v1/products/turbo/content", token: token)
        #expect(content.status == 404)
        let state = try rig.send("GET", "/v1/receipts/" + id, token: token).outcome
        #expect(state.status == .granted)
        #expect(state.content == nil)
        // Twice is once.
        #expect(try recheck(rig, id).outcome == .refunded)
        #expect(
            try rig.count("SELECT count(*) FROM submission_events WHERE state = 'refunded'") == 1)
    }

    @Test func `a receipt from before the refund does not restore the content`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init(product: "turbo"))
        let id = try rig.submit(token, product: "turbo").outcome.submissionId
        rig.store.verified(.init(product: "turbo", isCancelled: true))
        _ = try recheck(rig, id)
        rig.store.verified(.init(product: "turbo"))
        let replay = try rig.submit(token, product: "turbo")
        #expect(replay.status == 422)
        #expect(try replay.outcome.reason == "cancelled")
        #expect(try rig.send("GET", "/v1/products/turbo/content", token: token).status == 404)
    }

    @Test(arguments: [true, false])
    func `a receipt from after the refund restores the content once`(sendsAnother: Bool) throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init(product: "turbo"))
        let id = try rig.submit(token, product: "turbo").outcome.submissionId
        rig.store.verified(.init(product: "turbo", isCancelled: true))
        #expect(try recheck(rig, id).outcome == .refunded)
        let refundedAt = 1_714_645_230_000 as Int64
        // One of the very second may be from before.
        rig.store.verified(madeAt: refundedAt, .init(product: "turbo"))
        #expect(try rig.submit(token, product: "turbo").status == 422)
        #expect(try owned(rig, token).first?.refundedAt == refundedAt)
        if sendsAnother {
            rig.store.verified(
                madeAt: refundedAt + 1_000, .init(product: "turbo"),
                .init(product: "coins", transaction: "7"))
            #expect(try rig.submit(token, product: "coins", transaction: "7").status == 200)
        } else {
            rig.store.verified(madeAt: refundedAt + 1_000, .init(product: "turbo"))
            #expect(try rig.submit(token, product: "turbo").status == 200)
        }
        #expect(try owned(rig, token).first?.refundedAt == nil)
        #expect(try rig.send("GET", "/v1/products/turbo/content", token: token).status == 200)
        let lifted = "SELECT count(*) FROM submission_events WHERE state = 'refundReversed'"
        #expect(try rig.count(lifted) == 1)
        // And it can be taken back once more.
        rig.store.verified(madeAt: refundedAt + 2_000, .init(product: "turbo", isCancelled: true))
        #expect(try recheck(rig, id).outcome == .refunded)
        #expect(try owned(rig, token).first?.refundedAt == refundedAt)
    }

    @Test func `a new purchase after a refund is granted once`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init(product: "turbo", transaction: "1"))
        let id = try rig.submit(token, product: "turbo", transaction: "1").outcome.submissionId
        rig.store.verified(.init(product: "turbo", transaction: "1", isCancelled: true))
        _ = try recheck(rig, id)
        rig.store.verified(
            .init(product: "turbo", transaction: "1", isCancelled: true),
            .init(
                product: "turbo", transaction: "9", original: "1", purchasedAt: 1_714_645_230_001))
        let again = try rig.submit(token, product: "turbo", transaction: "9")
        #expect(try again.outcome.status == .granted)
        #expect(
            try rig.submit(token, product: "turbo", transaction: "9").outcome.status
                == .alreadyGranted)
        #expect(try recheck(rig, again.outcome.submissionId).outcome == .stands)
        #expect(try owned(rig, token).map(\.transactionId) == ["9"])
        #expect(try owned(rig, token).first?.refundedAt == nil)
    }

    @Test func `a refund of the original transaction marks the grant under it`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init(product: "turbo", transaction: "2", original: "1"))
        let id = try rig.submit(token, product: "turbo", transaction: "2").outcome.submissionId
        rig.store.verified(
            .init(product: "turbo", transaction: "1", isCancelled: true),
            .init(product: "turbo", transaction: "2", original: "1"))
        let found = try recheck(rig, id)
        #expect(found.outcome == .refunded)
        #expect(found.submission.grant?.refundedAt == 1_714_645_230_000)
        #expect(try rig.send("GET", "/v1/products/turbo/content", token: token).status == 404)
    }

    @Test func `a refund of a consumable's original marks no other purchase`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init(transaction: "2", original: "1"))
        let id = try rig.submit(token, transaction: "2").outcome.submissionId
        rig.store.verified(
            .init(transaction: "1", isCancelled: true), .init(transaction: "2", original: "1"))
        #expect(try recheck(rig, id).outcome == .stands)
        #expect(try rig.submission(id).grant?.refundedAt == nil)
    }

    @Test func `a refund from before the granted purchase does not take it back`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(
            .init(product: "turbo", transaction: "1", isCancelled: true),
            .init(
                product: "turbo", transaction: "9", original: "1", purchasedAt: 1_714_645_230_001))
        let id = try rig.submit(token, product: "turbo", transaction: "9").outcome.submissionId
        #expect(try recheck(rig, id).outcome == .stands)
        #expect(
            try rig.submit(token, product: "turbo", transaction: "9").outcome.status
                == .alreadyGranted)
        #expect(try owned(rig, token).first?.refundedAt == nil)
    }

    @Test func `a refund in anybody's receipt marks the grant`() throws {
        let rig = try Rig()
        let dora = try rig.signUp("dora")
        rig.store.verified(.init(transaction: "1"))
        let id = try rig.submit(dora, transaction: "1").outcome.submissionId
        rig.store.verified(
            .init(transaction: "1", isCancelled: true), .init(transaction: "2"))
        #expect(try rig.submit(dora, transaction: "2").outcome.status == .granted)
        #expect(try rig.submission(id).grant?.refundedAt == 1_714_645_230_000)
        #expect(try owned(rig, dora).map { $0.refundedAt != nil } == [true, false])
    }

    @Test func `a refund of another app's or product's purchase marks nothing`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init())
        let id = try rig.submit(token).outcome.submissionId
        rig.store.answer(
            .text(StoreAnswers.verified([.init(isCancelled: true)], bundle: "com.example.x")))
        _ = try rig.submit(token)
        rig.store.verified(.init(product: "turbo", isCancelled: true))
        _ = try rig.submit(token, product: "turbo")
        #expect(try rig.submission(id).grant?.refundedAt == nil)
    }

    @Test func `a recheck that is answered about another app's receipt says nothing of the grant`()
        throws
    {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init())
        let id = try rig.submit(token).outcome.submissionId
        let before = try rig.submission(id).grant
        rig.clock.advance(milliseconds: 10_000)
        rig.store.answer(.text(StoreAnswers.verified([.init()], bundle: "com.example.x")))
        #expect(try recheck(rig, id).outcome == .notListed)
        #expect(try rig.submission(id).grant == before)
    }

    @Test func `an inconclusive recheck changes nothing and says so`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init())
        let id = try rig.submit(token).outcome.submissionId
        rig.store.answer(.failure(.timedOut))
        let answer = try rig.look("/\(id)/recheck", method: "POST")
        #expect(answer.status == 503)
        #expect(try answer.errorCode == "noClearAnswer")
        rig.store.answer(.text(StoreAnswers.status(21_003)))
        #expect(try recheck(rig, id).outcome == .storeRefused)
        rig.store.verified(.init(transaction: "77"))
        #expect(try recheck(rig, id).outcome == .notListed)
        #expect(try rig.submission(id).grant?.refundedAt == nil)
        #expect(try owned(rig, token).count == 1)
    }

    @Test func `a slow recheck is answered first and recorded later`() throws {
        let rig = try Rig { $0.answerDeadlineMilliseconds = 50 }
        let token = try rig.signUp()
        let gate = Gate()
        rig.store.verified(.init())
        let id = try rig.submit(token).outcome.submissionId
        _ = rig.parts.verificationPool.drain(milliseconds: 10_000)
        rig.store.answer(.held(gate, StoreAnswers.verified([.init(isCancelled: true)])))
        let answer = try rig.look("/\(id)/recheck", method: "POST")
        #expect(try answer.errorCode == "stillAsking")
        gate.open()
        #expect(rig.parts.verificationPool.drain(milliseconds: 20_000))
        #expect(try rig.submission(id).grant?.refundedAt != nil)
    }
}
