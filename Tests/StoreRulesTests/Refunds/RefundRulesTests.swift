import StoreModel
import StoreRules
import Testing

/// Who gets how much back, and what an app may say.
struct RefundRulesTests {
    private typealias Samples = RefundSamples

    @Test func `a refund can be requested for ninety days, except for revoked purchases`() throws {
        func ask(after milliseconds: Int64, isTakenBack: Bool = false) throws -> Refund {
            try RefundRules.request(
                of: TransactionID(1), for: .legal, known: nil,
                RefundFacts(
                    kind: .nonConsumable, purchasedAt: Samples.start,
                    charged: Samples.facts.charged,
                    isTakenBack: isTakenBack),
                at: Samples.start.adding(milliseconds: milliseconds))
        }
        let window = RefundRules.windowMilliseconds
        #expect(window == 7_776_000_000)
        #expect(try ask(after: window).state == .requested)
        #expect(throws: RefundRequestRefusal.tooOld) { try ask(after: window + 1) }
        #expect(throws: RefundRequestRefusal.takenBack) { try ask(after: 0, isTakenBack: true) }
    }

    struct Share: Sendable {
        let day: Int64
        let percentage: Int64
        let milliunits: Int64
    }

    /// Of a month of 30 days for 9.99.
    @Test(arguments: [
        Share(day: 0, percentage: 100_000, milliunits: 9_990),
        Share(day: 10, percentage: 66_667, milliunits: 6_660),
        Share(day: 15, percentage: 50_000, milliunits: 5_000),
        Share(day: 20, percentage: 33_333, milliunits: 3_330),
        Share(day: 29, percentage: 3_333, milliunits: 330),
    ])
    func `a subscription's prorated refund is the rest of its period`(share: Share) throws {
        let grant = try prorated(subscription(), atDay: share.day)
        #expect(grant.percentage == share.percentage)
        #expect(grant.amount.milliunits == share.milliunits)
    }

    @Test func `a period that is over or was upgraded refunds nothing`() throws {
        for (facts, day) in [(subscription(), 30), (subscription(), 40), (subscription(true), 1)] {
            #expect(throws: RefundRequestRefusal.nothingLeft) {
                try prorated(facts, atDay: Int64(day))
            }
        }
    }

    @Test func `another purchase refunds the share its app reported unconsumed in time`() throws {
        func grant(answeredAfter milliseconds: Int64?) throws -> RefundGrant? {
            var refund = try Samples.refund(in: .requested)
            if let milliseconds {
                refund = try RefundRules.applying(
                    .answer(Samples.consumption), to: refund, Samples.facts,
                    at: Samples.start.adding(milliseconds: milliseconds))
            }
            return try RefundRules.applying(
                .grant(.prorated), to: refund, Samples.facts,
                at: Samples.start.adding(milliseconds: 100_000_000)
            ).grant
        }
        let due = RefundRules.answerMilliseconds
        #expect(due == 43_200_000)
        let inTime = try grant(answeredAfter: due)
        #expect(inTime?.percentage == 60_000 && inTime?.amount.milliunits == 5_990)
        for late in [nil, due + 1] {
            #expect(throws: RefundRequestRefusal.consumptionUnknown) {
                try grant(answeredAfter: late)
            }
        }
    }

    @Test func `a purchase revoked by hand cannot be refunded, and a request can be declined`()
        throws
    {
        let refund = try Samples.refund(in: .answered)
        let taken = RefundFacts(
            kind: .consumable, purchasedAt: Samples.start, charged: Samples.facts.charged,
            isTakenBack: true)
        for type in RefundType.allCases {
            #expect(throws: RefundRequestRefusal.takenBack) {
                try RefundRules.applying(.grant(type), to: refund, taken, at: Samples.later)
            }
        }
        #expect(
            try RefundRules.applying(.decline, to: refund, taken, at: Samples.later).state
                == .declined)
    }

    @Test func `a share that rounds to nothing is refused, and so is one of a free purchase`()
        throws
    {
        let consumed = Consumption(
            customerConsented: true, consumptionPercentage: 99_999, deliveryStatus: .delivered,
            refundPreference: nil, sampleContentProvided: false)
        for (price, expected) in [(990, nil), (0, nil), (1_000_000, 10)] as [(Int64, Int64?)] {
            let facts = RefundFacts(
                kind: .consumable, purchasedAt: Samples.start,
                charged: Money(milliunits: price, currency: Samples.facts.charged.currency))
            let asked = try RefundRules.request(
                of: TransactionID(1), for: .other, known: nil, facts, at: Samples.start)
            let answered = try RefundRules.applying(
                .answer(consumed), to: asked, facts, at: Samples.later)
            guard let expected else {
                #expect(throws: RefundRequestRefusal.nothingLeft) {
                    try RefundRules.applying(
                        .grant(.prorated), to: answered, facts, at: Samples.later)
                }
                continue
            }
            let granted = try RefundRules.applying(
                .grant(.prorated), to: answered, facts, at: Samples.later)
            #expect(granted.grant?.amount.milliunits == expected)
        }
    }

    struct Said: Sendable {
        var consents = true
        var percentage: Int64?
        var status = Consumption.DeliveryStatus.delivered
        var wish: Consumption.Preference?
        var kind = ProductKind.consumable
        let fault: ConsumptionFault?
    }

    @Test(arguments: [
        Said(fault: nil), Said(percentage: 0, fault: nil), Said(percentage: 100_000, fault: nil),
        Said(consents: false, fault: .notConsented),
        Said(percentage: -1, fault: .percentageOutOfRange),
        Said(percentage: 100_001, fault: .percentageOutOfRange),
        Said(status: .undeliveredOther, fault: nil),
        Said(percentage: 0, status: .undeliveredServerOutage, fault: nil),
        Said(percentage: 1, status: .undeliveredWrongItem, fault: .undeliveredConsumed),
        Said(percentage: 40_000, wish: .grantProrated, fault: nil),
        Said(wish: .grantProrated, fault: .percentageOutOfRange),
        Said(percentage: 0, wish: .grantProrated, fault: .percentageOutOfRange),
        Said(percentage: 100_000, wish: .grantProrated, fault: .percentageOutOfRange),
        Said(percentage: 100_000, wish: .decline, fault: nil),
        Said(wish: .grantProrated, kind: .autoRenewable, fault: nil),
        Said(percentage: 0, kind: .autoRenewable, fault: .percentageOfSubscription),
        Said(percentage: 1, kind: .nonRenewing, fault: nil),
        Said(percentage: 1, kind: .nonConsumable, fault: nil),
    ])
    func `consumption information is validated as Apple does`(said: Said) {
        let consumption = Consumption(
            customerConsented: said.consents, consumptionPercentage: said.percentage,
            deliveryStatus: said.status, refundPreference: said.wish, sampleContentProvided: false)
        var fault: ConsumptionFault?
        do {
            try ConsumptionRules.check(consumption, of: said.kind)
        } catch {
            fault = error
        }
        #expect(fault == said.fault)
    }

    @Test func `receipts distinguish an app's fault from other reasons`() {
        #expect(
            RefundReason.allCases.filter { $0.revocationReason == .issue }
                == [.fulfillmentIssue, .unsatisfiedWithPurchase])
    }

    private func subscription(_ isUpgraded: Bool = false) -> RefundFacts {
        RefundFacts(
            kind: .autoRenewable, purchasedAt: Samples.start,
            expiresAt: Samples.start.adding(milliseconds: 30 * 86_400_000),
            isUpgraded: isUpgraded, charged: Samples.facts.charged)
    }

    private func prorated(_ facts: RefundFacts, atDay day: Int64) throws -> RefundGrant {
        let refund = try RefundRules.request(
            of: TransactionID(1), for: .other, known: nil, facts, at: Samples.start)
        let granted = try RefundRules.applying(
            .grant(.prorated), to: refund, facts,
            at: Samples.start.adding(milliseconds: day * 86_400_000))
        return try #require(granted.grant)
    }
}
