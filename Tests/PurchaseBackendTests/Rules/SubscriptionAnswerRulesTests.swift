import StoreModel
import Testing

@testable import PurchaseBackend

/// What an answer makes of what is known, a row for each rule. Times are in seconds.
struct SubscriptionAnswerRulesTests {
    private static func at(_ seconds: Int64) -> Timestamp { Timestamp(seconds: seconds) }

    private static func period(
        _ transaction: String, _ begins: Int64, _ ends: Int64, product: String = "gold",
        cancelledAt: Int64? = nil, isUpgraded: Bool = false
    ) -> ReceiptSummary.Purchase {
        .init(
            productID: product, transactionID: transaction, originalTransactionID: "1",
            isCancelled: cancelledAt != nil && !isUpgraded, cancelledAt: cancelledAt.map(at),
            purchasedAt: at(begins), expiresAt: at(ends), isUpgraded: isUpgraded)
    }

    private static func facts(
        _ transaction: String, _ begins: Int64, _ ends: Int64, newest: Int64? = nil,
        product: String = "gold", renewal: ReceiptSummary.RenewalInfo = on,
        revoked: (String, Int64)? = nil, answered: Int64
    ) -> SubscriptionFacts {
        SubscriptionFacts(
            productID: product, transactionID: transaction, purchasedAt: at(begins),
            expiresAt: at(ends), newestAt: newest.map(at), renewal: renewal,
            revocation: revoked.map { .init(transactionID: $0.0, at: at($0.1)) },
            answeredAt: at(answered))
    }

    private static let on = ReceiptSummary.RenewalInfo(renews: true)
    private static let off = ReceiptSummary.RenewalInfo(renews: false)

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let known: SubscriptionFacts?
        let periods: [ReceiptSummary.Purchase]
        let renewal: ReceiptSummary.RenewalInfo?
        let answered: Int64
        let listed: Set<String>
        let next: SubscriptionFacts?

        init(
            _ name: String, known: SubscriptionFacts?, _ periods: [ReceiptSummary.Purchase],
            renewal: ReceiptSummary.RenewalInfo? = on, answered: Int64,
            listed: Set<String> = [], next: SubscriptionFacts?
        ) {
            testDescription = name
            self.known = known
            self.periods = periods
            self.renewal = renewal
            self.answered = answered
            self.listed = listed
            self.next = next
        }
    }

    static let rows = [
        Row("nothing listed, nothing known", known: nil, [], answered: 5, next: nil),
        Row(
            "nothing listed leaves what is known", known: facts("a", 0, 10, answered: 1), [],
            answered: 5, next: facts("a", 0, 10, answered: 1)),
        Row(
            "the first answer", known: nil, [period("a", 0, 10)], answered: 1,
            next: facts("a", 0, 10, answered: 1)),
        Row(
            "the newest counts, in whatever order", known: nil,
            [period("b", 10, 20), period("c", 20, 30), period("a", 0, 10)], answered: 25,
            next: facts("c", 20, 30, answered: 25)),
        Row(
            "a renewal", known: facts("a", 0, 10, answered: 1),
            [period("a", 0, 10), period("b", 10, 20)], answered: 11,
            next: facts("b", 10, 20, answered: 11)),
        Row(
            "a renewal that is listed alone", known: facts("a", 0, 10, answered: 1),
            [period("b", 10, 20)], answered: 11, next: facts("b", 10, 20, answered: 11)),
        Row(
            "a renewal before the end serves at once to its own end",
            known: facts("a", 0, 10, answered: 1), [period("b", 10, 20), period("a", 0, 10)],
            answered: 9, next: facts("b", 10, 20, answered: 9)),
        Row(
            "bought again after it had lapsed", known: facts("a", 0, 10, answered: 50),
            [period("b", 60, 70), period("a", 0, 10)], answered: 61,
            next: facts("b", 60, 70, answered: 61)),
        Row(
            "renewal switched off", known: facts("a", 0, 10, answered: 1), [period("a", 0, 10)],
            renewal: off, answered: 2, next: facts("a", 0, 10, renewal: off, answered: 2)),
        Row(
            "an answer without renewal keeps what was said of the period",
            known: facts("a", 0, 10, renewal: off, answered: 1), [period("a", 0, 10)],
            renewal: nil, answered: 2, next: facts("a", 0, 10, renewal: off, answered: 2)),
        Row(
            "and of another period says nothing",
            known: facts("a", 0, 10, renewal: off, answered: 1), [period("b", 10, 20)],
            renewal: nil, answered: 11, next: facts("b", 10, 20, renewal: .init(), answered: 11)),
        Row(
            "an answer of an earlier clock changes nothing",
            known: facts("a", 0, 10, answered: 5), [period("a", 0, 10)], renewal: off, answered: 4,
            next: facts("a", 0, 10, answered: 5)),
        Row(
            "an answer that lists less changes nothing, whatever its clock",
            known: facts("b", 10, 20, answered: 11), [period("a", 0, 10)], renewal: off,
            answered: 90, next: facts("b", 10, 20, answered: 11)),
        Row(
            "an upgrade ends sooner than what it took the place of",
            known: facts("a", 0, 100, answered: 1),
            [period("a", 0, 100, cancelledAt: 5, isUpgraded: true), period("b", 5, 15)],
            answered: 6, next: facts("b", 5, 15, answered: 6)),
        Row(
            "taken back", known: facts("a", 0, 10, answered: 1),
            [period("a", 0, 10, cancelledAt: 3)], answered: 4,
            next: facts("a", 0, 10, revoked: ("a", 3), answered: 4)),
        Row(
            "taken back stays when a later answer does not list what stands now",
            known: facts("a", 0, 10, revoked: ("a", 3), answered: 4), [period("a", 0, 10)],
            answered: 5, next: facts("a", 0, 10, revoked: ("a", 3), answered: 5)),
        Row(
            "a refund that was reversed is none",
            known: facts("a", 0, 10, revoked: ("a", 3), answered: 4), [period("a", 0, 10)],
            answered: 5, listed: ["a"], next: facts("a", 0, 10, answered: 5)),
        Row(
            "an answer of the same moment does not reverse it",
            known: facts("a", 0, 10, revoked: ("a", 3), answered: 4), [period("a", 0, 10)],
            answered: 4, listed: ["a"], next: facts("a", 0, 10, revoked: ("a", 3), answered: 4)),
        Row(
            "nor does an earlier one",
            known: facts("a", 0, 10, revoked: ("a", 3), answered: 4), [period("a", 0, 10)],
            answered: 3, listed: ["a"], next: facts("a", 0, 10, revoked: ("a", 3), answered: 4)),
        Row(
            "nor one that still shows it",
            known: facts("a", 0, 10, revoked: ("a", 3), answered: 4),
            [period("a", 0, 10, cancelledAt: 3)], answered: 5, listed: ["a"],
            next: facts("a", 0, 10, revoked: ("a", 3), answered: 5)),
        Row(
            "of two refunds the one that stands is left",
            known: facts("a", 0, 10, newest: 10, revoked: ("b", 9), answered: 9),
            [period("a", 0, 10, cancelledAt: 8), period("b", 10, 20)], answered: 10,
            listed: ["a", "b"], next: facts("b", 10, 20, revoked: ("a", 8), answered: 10)),
        Row(
            "taken back in an old answer counts", known: facts("a", 0, 10, answered: 9),
            [period("a", 0, 10, cancelledAt: 3)], answered: 4,
            next: facts("a", 0, 10, revoked: ("a", 3), answered: 9)),
        Row(
            "an old answer that takes another period back does not",
            known: facts("b", 10, 20, answered: 11), [period("a", 0, 10, cancelledAt: 3)],
            answered: 4, next: facts("b", 10, 20, answered: 11)),
        Row(
            "bought again after it was taken back",
            known: facts("a", 0, 10, revoked: ("a", 3), answered: 4),
            [period("a", 0, 10, cancelledAt: 3), period("b", 5, 15)], answered: 6,
            next: facts("b", 5, 15, revoked: ("a", 3), answered: 6)),
        Row(
            "what is left of the period before counts when its renewal is taken back",
            known: facts("b", 10, 20, answered: 9),
            [period("a", 0, 10), period("b", 10, 20, cancelledAt: 9)], answered: 9,
            next: facts("a", 0, 10, newest: 10, revoked: ("b", 9), answered: 9)),
        Row(
            "and an old answer does not bring the renewal back",
            known: facts("a", 0, 10, newest: 10, revoked: ("b", 9), answered: 9),
            [period("a", 0, 10), period("b", 10, 20)], answered: 8,
            next: facts("a", 0, 10, newest: 10, revoked: ("b", 9), answered: 9)),
        Row(
            "nor does a later one",
            known: facts("a", 0, 10, newest: 10, revoked: ("b", 9), answered: 9),
            [period("a", 0, 10), period("b", 10, 20)], answered: 9,
            next: facts("a", 0, 10, newest: 10, revoked: ("b", 9), answered: 9)),
    ]

    @Test(arguments: rows)
    func `an answer updates the subscription facts as the table says`(row: Row) {
        let news = SubscriptionNews(
            periods: row.periods, renewal: row.renewal, answeredAt: Self.at(row.answered),
            listed: row.listed)
        let next = SubscriptionAnswerRules.next(row.known, news)
        #expect(next == row.next)
        // The same answer again changes nothing more.
        if let next { #expect(SubscriptionAnswerRules.next(next, news) == next) }
    }

    struct Standing: Sendable, CustomTestStringConvertible {
        let facts: SubscriptionFacts
        let now: Int64
        let state: SubscriptionState

        init(_ facts: SubscriptionFacts, at now: Int64, _ state: SubscriptionState) {
            self.facts = facts
            self.now = now
            self.state = state
        }

        var testDescription: String { "\(state) at \(now)" }
    }

    private static func retried(graceEnds: Int64?) -> ReceiptSummary.RenewalInfo {
        .init(renews: true, isRetried: true, graceEndsAt: graceEnds.map(at), intent: 2)
    }

    private static let ended = ReceiptSummary.RenewalInfo(
        renews: false, isRetried: false, intent: 1)

    @Test(arguments: [
        Standing(facts("a", 0, 100, answered: 1), at: 1, .active),
        Standing(facts("a", 0, 100, answered: 1), at: 99, .active),
        // 100 seconds of leeway until the store has been asked.
        Standing(facts("a", 0, 100, answered: 1), at: 100, .active),
        Standing(facts("a", 0, 100, answered: 1), at: 199, .active),
        Standing(facts("a", 0, 100, answered: 1), at: 200, .unconfirmed),
        Standing(facts("a", 0, 1, answered: 0), at: 5, .active),
        Standing(facts("a", 0, 1, answered: 0), at: 6, .unconfirmed),
        Standing(facts("a", 0, 9_000, answered: 1), at: 12_599, .active),
        Standing(facts("a", 0, 9_000, answered: 1), at: 12_600, .unconfirmed),
        // None for who does not renew.
        Standing(facts("a", 0, 100, renewal: off, answered: 1), at: 99, .active),
        Standing(facts("a", 0, 100, renewal: off, answered: 1), at: 100, .expired(.voluntary)),
        Standing(
            facts("a", 0, 100, renewal: retried(graceEnds: 160), answered: 101), at: 101,
            .gracePeriod),
        Standing(
            facts("a", 0, 100, renewal: retried(graceEnds: 160), answered: 101), at: 160,
            .billingRetry),
        Standing(
            facts("a", 0, 100, renewal: retried(graceEnds: nil), answered: 101), at: 101,
            .billingRetry),
        Standing(
            facts("a", 0, 100, renewal: ended, answered: 101), at: 101, .expired(.voluntary)),
        // A store that has not renewed it yet and does not say why: as long, whatever it answers.
        Standing(facts("a", 0, 100, answered: 101), at: 101, .unsettled),
        Standing(facts("a", 0, 100, answered: 101), at: 199, .unsettled),
        Standing(facts("a", 0, 100, answered: 101), at: 200, .expired(nil)),
        Standing(facts("a", 0, 100, answered: 200), at: 200, .expired(nil)),
        Standing(facts("a", 0, 9_000, answered: 9_001), at: 12_599, .unsettled),
        Standing(facts("a", 0, 9_000, answered: 9_001), at: 12_600, .expired(nil)),
        Standing(
            facts("a", 0, 100, renewal: .init(renews: true, intent: 4), answered: 101), at: 101,
            .expired(.productUnavailable)),
        Standing(facts("a", 0, 100, renewal: .init(), answered: 101), at: 101, .expired(nil)),
        Standing(
            facts("a", 0, 100, renewal: .init(renews: true, isOver: true), answered: 101), at: 101,
            .expired(nil)),
        Standing(
            facts("a", 0, 100, renewal: .init(renews: false, intent: 9), answered: 101), at: 101,
            .expired(.unknown)),
        Standing(facts("a", 0, 100, revoked: ("a", 5), answered: 6), at: 6, .revoked),
        Standing(facts("a", 0, 100, revoked: ("a", 5), answered: 6), at: 600, .revoked),
        Standing(facts("b", 0, 100, revoked: ("a", 5), answered: 6), at: 6, .active),
    ])
    func `facts and a moment determine the subscription state`(row: Standing) {
        #expect(row.facts.state(at: Self.at(row.now)) == row.state)
    }

    @Test func `only active, unsettled and grace-period subscriptions are served`() {
        #expect(SubscriptionState.active.isServed)
        #expect(SubscriptionState.unsettled.isServed)
        #expect(SubscriptionState.gracePeriod.isServed)
        let others: [SubscriptionState] = [.billingRetry, .expired(nil), .revoked, .unconfirmed]
        #expect(others.allSatisfy { !$0.isServed })
    }

    private static func old(
        _ verdict: ReceiptSummary.Verdict?, _ renewal: ReceiptSummary.RenewalInfo = on
    ) -> ReceiptSummary {
        var receipt = ReceiptSummary(
            environment: .production, bundleID: "b", applicationVersion: "1", purchases: [])
        receipt.verdict = verdict
        receipt.renewals = ["1": renewal]
        return receipt
    }

    private static func news(
        _ receipt: ReceiptSummary, _ periods: [ReceiptSummary.Purchase], estimate: Int64
    ) -> SubscriptionNews {
        SubscriptionAnswerRules.news(
            of: receipt, original: "1", periods: periods, estimate: at(estimate))
    }

    @Test func `a grace period of the iOS 6 style is served from answer to answer`() throws {
        let periods = [Self.period("a", 0, 800)]
        let retried = Self.old(.running, Self.retried(graceEnds: nil))
        var facts: SubscriptionFacts?
        // An eighth of the period until the next answer, and as long as a period for it to come.
        for estimate: Int64 in [800, 890, 1_700, 9_000] {
            let news = Self.news(retried, periods, estimate: estimate)
            #expect(news.answeredAt == Self.at(estimate))
            facts = SubscriptionAnswerRules.next(facts, news)
            let now = try #require(facts)
            #expect(now.state(at: Self.at(estimate)) == .gracePeriod)
            #expect(now.state(at: Self.at(estimate + 899)) == .gracePeriod)
            #expect(now.state(at: Self.at(estimate + 900)) == .billingRetry)
        }
        let told = Self.news(
            Self.old(.running, Self.retried(graceEnds: 850)), periods, estimate: 820)
        #expect(told.renewal?.graceEndsAt == Self.at(850), "an end that is told is the end")
        let before = Self.news(retried, periods, estimate: 799)
        #expect(before.renewal?.graceEndsAt == nil)
        let over = Self.news(
            Self.old(.expired, Self.retried(graceEnds: nil)), periods, estimate: 9_001)
        #expect(
            SubscriptionAnswerRules.next(facts, over)?.state(at: Self.at(9_001)) == .billingRetry)
    }

    @Test func `a revoked period does not move the clock into the future`() {
        let moment = SubscriptionAnswerRules.moment(
            of: Self.old(.expired), periods: [Self.period("a", 0, 100, cancelledAt: 3)],
            estimate: Self.at(4))
        #expect(moment == Self.at(4))
        let before = SubscriptionAnswerRules.moment(
            of: Self.old(.expired),
            periods: [Self.period("a", 0, 100), Self.period("b", 100, 200, cancelledAt: 3)],
            estimate: Self.at(4))
        #expect(before == Self.at(100))
    }

    @Test func `a period that began by the store's clock bounds the clock from below`() {
        let periods = [Self.period("a", 0, 100), Self.period("b", 100, 200)]
        for (estimate, moment): (Int64, Int64) in [(-50, 0), (0, 0), (150, 150), (500, 199)] {
            let found = SubscriptionAnswerRules.moment(
                of: Self.old(.running), periods: periods, estimate: Self.at(estimate))
            #expect(found.seconds == moment, "one period before the newest one began")
        }
    }

    @Test func `of two estimates the one that was asked for later counts`() throws {
        let periods = [Self.period("a", 0, 100)]
        let known = try #require(
            SubscriptionAnswerRules.next(nil, Self.news(Self.old(.running), periods, estimate: 90)))
        var news = Self.news(Self.old(.running, Self.off), periods, estimate: 50)
        #expect(SubscriptionAnswerRules.next(known, news) == known)
        news.isAskedLater = true
        #expect(SubscriptionAnswerRules.next(known, news)?.renewal.renews == false)
        #expect(SubscriptionAnswerRules.next(known, news)?.answeredAt == Self.at(50))
    }

    @Test(arguments: [
        (ReceiptSummary.Verdict?.none, 50, 50), (.running, 50, 50), (.running, 150, 99),
        (.expired, 50, 100), (.expired, 150, 150),
    ])
    func `the status of an iOS 6 style answer bounds the clock`(
        verdict: ReceiptSummary.Verdict?, estimate: Int64, moment: Int64
    ) {
        var receipt = ReceiptSummary(
            environment: .production, bundleID: "b", applicationVersion: "1", purchases: [])
        receipt.verdict = verdict
        let found = SubscriptionAnswerRules.moment(
            of: receipt, periods: [Self.period("a", 0, 100)], estimate: Self.at(estimate))
        #expect(found.seconds == moment)
        receipt.requestedAt = Self.at(7)
        let told = SubscriptionAnswerRules.moment(
            of: receipt, periods: [Self.period("a", 0, 100)], estimate: Self.at(estimate))
        #expect(told == Self.at(7))
    }
}
