import StoreModel
import Testing

@testable import AppStoreServer

/// The rows that happenings leave in a world's history, which devices and servers read.
struct HappeningEventTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let happening: Happening
        let kind: String
        let subject: String?

        init(_ happening: Happening, _ kind: String, _ subject: String? = nil) {
            (self.happening, self.kind, self.subject) = (happening, kind, subject)
        }

        var testDescription: String { "\(kind) \(subject ?? "-")" }
    }

    private static func subscription(
        isOn: Bool = true, next: String? = nil
    ) -> Subscription {
        Subscription(
            original: TransactionID(1), product: ProductID("silver"), period: .month,
            startedAt: LedgerFixture.now, expiresAt: LedgerFixture.now.adding(.days(30)),
            anchor: Subscription.Anchor(at: LedgerFixture.now, months: 0),
            price: Money(milliunits: 990, currency: LedgerFixture.dollar), isAutoRenewing: isOn,
            nextProduct: next.map { ProductID($0) })
    }

    private static var inGrace: Subscription {
        var subscription = subscription()
        subscription.phase = .gracePeriod(until: Timestamp(milliseconds: 1_714_558_830_123))
        return subscription
    }

    private static func change(
        to after: Subscription = subscription()
    ) -> SubscriptionTransition {
        SubscriptionTransition(from: subscription(), to: after)
    }

    static let rows = [
        Row(.bought(.consumable, owned: nil), "purchased"),
        Row(.subscribed(change()), "purchased"),
        Row(.finished, "finished"),
        Row(.restored, "restored"),
        Row(.appAccountTokenSet, "appAccountTokenSet"),
        Row(.deleted, "deleted"),
        Row(.periodMoved, "periodMoved"),
        Row(.declined(AttemptID("a")), "declined", "a"),
        Row(.storefrontChanged(.default), "storefrontChanged", "USA"),
        Row(.replaced, "replaced"),
        Row(.renewed(change()), "renewed"),
        Row(.renewalFailed(change()), "renewalFailed"),
        Row(.renewalFailed(change(to: inGrace)), "renewalFailed", "2024-05-01T10:20:30Z"),
        Row(.gracePeriodEnded(change()), "gracePeriodEnded"),
        Row(.expired(.voluntary, change()), "expired", "1"),
        Row(.expired(.productUnavailable, change()), "expired", "4"),
        Row(.renewalChanged(change()), "renewalChanged", "silver"),
        Row(.renewalChanged(change(to: subscription(next: "gold"))), "renewalChanged", "gold"),
        Row(.renewalChanged(change(to: subscription(isOn: false))), "renewalChanged"),
        Row(
            .renewalChanged(change(to: subscription(isOn: false, next: "gold"))),
            "renewalChanged"),
        Row(.extended(change(), request: nil), "extended"),
        Row(.extended(change(), request: "outage-7"), "extended", "outage-7"),
        Row(.extensionFailed(request: "outage-7"), "extensionFailed", "outage-7"),
        Row(.priceIncreased(change()), "priceIncreased"),
        Row(.priceAsked(question: 7), "priceConsent", "7"),
        Row(.priceAnswered(question: 7, .agreed, nil), "priceConsent", "7"),
        Row(.priceQuestionWithdrawn(question: 7), "priceConsent", "7"),
        Row(.refundRequested(.unintendedPurchase), "refundRequested", "UNINTENDED_PURCHASE"),
        Row(.refunded(.consumable, standsFor: nil, nil), "revoked"),
        Row(.refundDeclined, "refundDeclined"),
        Row(.refundReversed(standsFor: nil), "refundReversed"),
        Row(.shared(.nonConsumable, .first), "shared"),
        Row(.shared(.autoRenewable, .nextPeriod(change())), "shared"),
        Row(.sharedRenewal(change()), "renewed"),
        Row(.shareEnded, "revoked"),
    ]

    @Test(arguments: rows)
    func `each happening leaves the event in the table`(row: Row) {
        #expect(Event.Kind(row.happening).rawValue == row.kind)
        #expect(row.happening.eventSubject == row.subject)
    }

    @Test func `the table has every kind of event`() {
        #expect(Set(Self.rows.map { Event.Kind($0.happening) }) == Set(Event.Kind.allCases))
    }
}
