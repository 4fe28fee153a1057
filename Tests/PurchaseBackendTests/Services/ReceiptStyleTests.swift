import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import PurchaseBackend

/// One subscription in receipts of both styles: the iOS 6 style says less.
@Suite(.ownThreads) struct ReceiptStyleTests {
    private typealias Answers = SubscriptionAnswers

    /// A unified receipt begins with 0x30.
    private static let unified = "MHVuaWZpZWQ="

    private func rig() throws -> (rig: Rig, token: String) {
        let rig = try Rig(products: Rig.subscriptions, secret: "secret")
        return (rig, try rig.signUp(forGood: true))
    }

    private func round(_ rig: Rig) {
        rig.parts.subscriptionWorker.round()
        #expect(rig.parts.subscriptionWorker.pool.drain(milliseconds: 20_000))
    }

    private func subscription(_ rig: Rig, _ token: String) throws -> UserSubscriptionBody {
        let answer = try rig.send("GET", "/v1/purchases", token: token)
        let body = try WireJSON.decode(OwnedPurchasesBody.self, from: answer.body)
        return try #require(body.subscriptions.first)
    }

    /// Hears a unified answer.
    private func hear(
        _ rig: Rig, _ token: String, _ period: Answers.Period,
        _ renewal: Answers.Renewal = .init(), at now: Int64 = Answers.start
    ) throws {
        rig.store.answer(
            .text(Answers.unified([period], [renewal], at: now, latest: Self.unified)))
        _ = try rig.submit(token, product: "gold.month", receipt: Self.unified)
    }

    /// Hears one in the iOS 6 style.
    @discardableResult
    private func hearOld(
        _ rig: Rig, _ token: String, _ text: String, transaction: String = "1000000000000001"
    ) throws -> ReceiptOutcomeBody {
        rig.store.answer(.text(text))
        return try rig.submit(
            token, product: "gold.month", transaction: transaction, receipt: "eyB9"
        ).outcome
    }

    private func followedStyle(_ rig: Rig) throws -> String? {
        try rig.database.read { scope in
            try scope.row(
                """
                SELECT l.style FROM subscriptions s
                JOIN latest_receipts l ON l.sha256 = s.receipt_sha256
                """)?.text(0)
        }
    }

    @Test func `a subscription followed by its unified receipt keeps that receipt`() throws {
        let (rig, token) = try rig()
        let period = Answers.Period()
        try hear(rig, token, period)
        rig.clock.advance(milliseconds: 1_000)
        try hearOld(rig, token, Answers.old(period, latest: period))
        #expect(try followedStyle(rig) == "unified")
        #expect(try rig.count("SELECT count(*) FROM latest_receipts") == 1)
        rig.clock.advance(milliseconds: Answers.day)
        round(rig)
        let sent = String(decoding: rig.store.requests.last?.body ?? [], as: UTF8.self)
        #expect(sent.contains("\"receipt-data\":\"\(Self.unified)\""))
    }

    @Test func `the clock in an answer counts even when it stands still`() throws {
        let (rig, token) = try rig()
        let period = Answers.Period()
        try hear(rig, token, period)
        for renews in [false, true] {
            rig.clock.advance(milliseconds: 10_000)
            try hearOld(rig, token, Answers.old(period, latest: period, renews: !renews))
            try hear(rig, token, period, .init(renews: renews))
            #expect(try subscription(rig, token).autoRenews == renews)
        }
    }

    @Test func `a unified receipt replaces one of the iOS 6 style`() throws {
        let (rig, token) = try rig()
        let period = Answers.Period()
        try hearOld(rig, token, Answers.old(period, latest: period))
        #expect(try followedStyle(rig) == "transaction")
        try hear(rig, token, period)
        #expect(try followedStyle(rig) == "unified")
    }

    @Test func `a unified receipt the store refuses gives way`() throws {
        let (rig, token) = try rig()
        let period = Answers.Period()
        try hear(rig, token, period)
        rig.clock.advance(milliseconds: Answers.day)
        rig.store.answer(.text(StoreAnswers.status(21_003)))
        round(rig)
        try hearOld(rig, token, Answers.old(period, latest: period))
        #expect(try followedStyle(rig) == "transaction")
    }

    @Test func `a reversed refund restores the service in the iOS 6 style`() throws {
        let (rig, token) = try rig()
        let sound = Answers.Period()
        var taken = sound
        taken.cancelledAt = Answers.start + 5_000
        try hearOld(rig, token, Answers.old(sound, latest: sound))
        rig.clock.advance(milliseconds: 10_000)
        try hearOld(rig, token, Answers.old(sound, latest: taken, status: 21_006))
        #expect(try subscription(rig, token).state == .revoked)
        rig.clock.advance(milliseconds: 10_000)
        try hearOld(rig, token, Answers.old(sound, latest: sound))
        #expect(try subscription(rig, token).state == .active)
    }

    @Test func `an answer requested before a refund does not reverse it`() throws {
        let (rig, token) = try rig()
        let sound = Answers.Period()
        var taken = sound
        taken.cancelledAt = Answers.start + 5_000
        try hear(rig, token, sound)
        let gate = Gate()
        rig.store.answer(.held(gate, Answers.old(sound, latest: sound)))
        let body = try Rig.submission(product: "gold.month", receipt: "eyB9")
        let late = rig.begin("POST", "/v1/receipts", token: token, body)
        try eventually { rig.store.requests.count == 2 }
        rig.clock.advance(milliseconds: 6_000)
        try hear(rig, token, taken, at: Answers.start + 6_000)
        #expect(try subscription(rig, token).state == .revoked)
        rig.clock.advance(milliseconds: 1_000)
        gate.open()
        _ = try late.answer()
        #expect(try subscription(rig, token).state == .revoked)
    }

    @Test func `a grace period with a stated end ends then`() throws {
        let (rig, token) = try rig()
        let period = Answers.Period()
        let told = period.ends + 6 * Answers.day
        try hear(rig, token, period)
        rig.clock.advance(milliseconds: Answers.month + 1_000)
        try hear(
            rig, token, period, .init(isRetried: true, graceEnds: told), at: period.ends + 1_000)
        for _ in 0..<2 {
            rig.clock.advance(milliseconds: 60_000)
            try hearOld(rig, token, Answers.old(period, latest: period, isRetried: true))
            let now = try subscription(rig, token)
            #expect(now.state == .gracePeriod)
            #expect(now.gracePeriodEnds == told)
        }
        rig.clock.advance(milliseconds: 6 * Answers.day)
        #expect(try subscription(rig, token).state == .billingRetry)
    }

    @Test func `a grace period without a stated end continues with each answer`() throws {
        let (rig, token) = try rig()
        let period = Answers.Period()
        try hearOld(rig, token, Answers.old(period, latest: period))
        rig.clock.advance(milliseconds: Answers.month + 1_000)
        var ends: [Int64] = []
        for _ in 0..<3 {
            try hearOld(rig, token, Answers.old(period, latest: period, isRetried: true))
            ends.append(try #require(subscription(rig, token).gracePeriodEnds))
            rig.clock.advance(milliseconds: Answers.day)
        }
        #expect(ends == [ends[0], ends[0] + Answers.day, ends[0] + 2 * Answers.day])
    }

    @Test func `a restored copy is not a renewal`() throws {
        let (rig, token) = try rig()
        let period = Answers.Period()
        try hear(rig, token, period)
        for number in 7...9 {
            var copy = period
            copy.transaction = "\(number)"
            let answer = try hearOld(
                rig, token, Answers.old(copy, latest: period, isRestored: true),
                transaction: copy.transaction)
            #expect(answer.status == .alreadyGranted)
            #expect(answer.subscription?.state == .active)
            #expect(answer.content?.name == "Gold")
        }
        #expect(try rig.count("SELECT count(*) FROM submissions WHERE state = 'granted'") == 1)
    }

    @Test func `a restored copy that comes first is granted, and so is a later renewal`() throws {
        let (rig, token) = try rig()
        let period = Answers.Period()
        var copy = period
        copy.transaction = "7"
        let first = try hearOld(
            rig, token, Answers.old(copy, latest: period, isRestored: true), transaction: "7")
        #expect(first.status == .granted)
        let renewed = period.renewed("1000000000000002")
        let second = try hearOld(
            rig, token, Answers.old(renewed, latest: renewed), transaction: renewed.transaction)
        #expect(second.status == .granted)
    }
}
