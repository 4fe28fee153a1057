import StoreModel
import StoreRules
import Testing

/// Everything that happens, with the notifications of both versions. The comments name the rows of
/// Apple's tables.
struct NoticeTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let what: String
        let happening: Happening
        /// Types with their subtypes, in order.
        let v2: [String]
        let v1: [String]

        init(_ what: String, _ happening: Happening, _ v2: [String], _ v1: [String]) {
            (self.what, self.happening, self.v2, self.v1) = (what, happening, v2, v1)
        }

        var testDescription: String { what }
    }

    private typealias Of = NoticeSamples

    private static func subscribed(_ before: Subscription?, _ after: Subscription) -> Happening {
        .subscribed(Of.change(before, after))
    }

    private static func changed(_ before: Subscription, _ after: Subscription) -> Happening {
        .renewalChanged(Of.change(before, after))
    }

    private static func expired(
        _ reason: ExpirationReason, _ before: Subscription = Of.off
    ) -> Happening {
        .expired(reason, Of.change(before, Of.state(.expired(reason), isOn: false)))
    }

    // SUBSCRIBED, DID_CHANGE_RENEWAL_PREF/UPGRADE, OFFER_REDEEMED/UPGRADE
    static let periods = [
        Row(
            "a first subscription", subscribed(nil, Of.active), ["SUBSCRIBED/INITIAL_BUY"],
            ["INITIAL_BUY"]),
        Row(
            "a first subscription with an offer code", subscribed(nil, Of.state(offer: .code)),
            ["SUBSCRIBED/INITIAL_BUY"], ["INITIAL_BUY"]),
        Row(
            "the same product after its end", subscribed(Of.expired, Of.active),
            ["SUBSCRIBED/RESUBSCRIBE"], ["DID_CHANGE_RENEWAL_STATUS"]),
        Row(
            "another product after the end", subscribed(Of.expired, Of.gold),
            ["SUBSCRIBED/RESUBSCRIBE"], ["INTERACTIVE_RENEWAL", "DID_CHANGE_RENEWAL_STATUS"]),
        Row(
            "a win-back offer after the end",
            subscribed(Of.expired, Of.state(offer: .winBack)), ["SUBSCRIBED/RESUBSCRIBE"],
            ["DID_CHANGE_RENEWAL_STATUS"]),
        Row(
            "the same product after a refund", subscribed(Of.revoked, Of.active),
            ["SUBSCRIBED/RESUBSCRIBE"], ["DID_CHANGE_RENEWAL_STATUS"]),
        Row(
            "a period bought by hand in the grace period", subscribed(Of.grace, Of.active),
            ["SUBSCRIBED/RESUBSCRIBE"], ["INTERACTIVE_RENEWAL"]),
        Row(
            "a period bought by hand while a payment is retried, after renewal was turned off",
            subscribed(Of.retryOff, Of.active), ["SUBSCRIBED/RESUBSCRIBE"],
            ["INTERACTIVE_RENEWAL", "DID_CHANGE_RENEWAL_STATUS"]),
        Row(
            "an upgrade", subscribed(Of.active, Of.gold), ["DID_CHANGE_RENEWAL_PREF/UPGRADE"],
            ["DID_CHANGE_RENEWAL_STATUS", "INTERACTIVE_RENEWAL"]),
        Row(
            "an upgrade with the automatic introductory offer",
            subscribed(Of.active, Of.state(product: "gold", offer: .introductory)),
            ["DID_CHANGE_RENEWAL_PREF/UPGRADE"],
            ["DID_CHANGE_RENEWAL_STATUS", "INTERACTIVE_RENEWAL"]),
        Row(
            "an upgrade with a promotional offer",
            subscribed(Of.active, Of.state(product: "gold", offer: .promotional)),
            ["OFFER_REDEEMED/UPGRADE"], ["DID_CHANGE_RENEWAL_STATUS", "INTERACTIVE_RENEWAL"]),
        Row(
            "an upgrade with an offer code",
            subscribed(Of.off, Of.state(product: "gold", offer: .code)),
            ["OFFER_REDEEMED/UPGRADE"], ["DID_CHANGE_RENEWAL_STATUS", "INTERACTIVE_RENEWAL"]),
    ]

    // DID_RENEW, DID_FAIL_TO_RENEW, GRACE_PERIOD_EXPIRED, RENEWAL_EXTENDED, RENEWAL_EXTENSION/FAILURE
    static let renewals = [
        Row(
            "a renewal", .renewed(Of.change(Of.active, Of.active)), ["DID_RENEW"],
            ["DID_RENEW"]),
        Row(
            "a renewal as the product chosen before",
            .renewed(Of.change(Of.changing, Of.state(product: "bronze"))), ["DID_RENEW"],
            ["DID_RENEW"]),
        Row(
            "a renewal paid in the grace period", .renewed(Of.change(Of.grace, Of.active)),
            ["DID_RENEW/BILLING_RECOVERY"], ["DID_RECOVER"]),
        Row(
            "a renewal paid after retries", .renewed(Of.change(Of.retry, Of.active)),
            ["DID_RENEW/BILLING_RECOVERY"], ["DID_RECOVER"]),
        Row(
            "a failed payment", .renewalFailed(Of.change(Of.active, Of.retry)),
            ["DID_FAIL_TO_RENEW"], ["DID_FAIL_TO_RENEW"]),
        Row(
            "a failed payment with a grace period",
            .renewalFailed(Of.change(Of.active, Of.grace)),
            ["DID_FAIL_TO_RENEW/GRACE_PERIOD"], ["DID_FAIL_TO_RENEW"]),
        Row(
            "the end of the grace period", .gracePeriodEnded(Of.change(Of.grace, Of.retry)),
            ["GRACE_PERIOD_EXPIRED"], []),
        Row(
            "a longer period", .extended(Of.change(Of.active, Of.active), request: nil),
            ["RENEWAL_EXTENDED"],
            []),
        Row(
            "a period that cannot be made longer with all others",
            .extensionFailed(request: "outage-7"), ["RENEWAL_EXTENSION/FAILURE"], []),
    ]

    // DID_CHANGE_RENEWAL_PREF, DID_CHANGE_RENEWAL_STATUS, OFFER_REDEEMED
    static let choices = [
        Row(
            "renewal turned off", changed(Of.active, Of.off),
            ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"], ["DID_CHANGE_RENEWAL_STATUS"]),
        Row(
            "renewal turned on again", changed(Of.off, Of.active),
            ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED"], ["DID_CHANGE_RENEWAL_STATUS"]),
        Row(
            "renewal turned on after declining a price, which asks again",
            changed(Of.state(isOn: false, consent: .declined), Of.state(consent: .pending)),
            ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED", "PRICE_INCREASE/PENDING"],
            ["DID_CHANGE_RENEWAL_STATUS", "PRICE_INCREASE_CONSENT"]),
        Row(
            "another product at the renewal", changed(Of.active, Of.changing),
            ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE"], ["DID_CHANGE_RENEWAL_PREF"]),
        Row(
            "a third product instead of the chosen one",
            changed(Of.changing, Of.state(next: "silver.year")),
            ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE"], ["DID_CHANGE_RENEWAL_PREF"]),
        Row(
            "another product, which also turns renewal on", changed(Of.off, Of.changing),
            [
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED",
                "DID_CHANGE_RENEWAL_PREF/DOWNGRADE",
            ], ["DID_CHANGE_RENEWAL_STATUS", "DID_CHANGE_RENEWAL_PREF"]),
        Row(
            "another product at the renewal, with its introductory offer",
            changed(Of.active, Of.state(next: "bronze", nextOffer: Of.offer(.introductory))),
            ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE"], ["DID_CHANGE_RENEWAL_PREF"]),
        Row(
            "the current product again", changed(Of.changing, Of.active),
            ["DID_CHANGE_RENEWAL_PREF"], ["DID_CHANGE_RENEWAL_PREF"]),
        Row(
            "an offer for the current product",
            changed(Of.active, Of.state(nextOffer: Of.offer())), ["OFFER_REDEEMED"], []),
        Row(
            "an offer for the current product after another was chosen",
            changed(Of.changing, Of.state(nextOffer: Of.offer())), ["OFFER_REDEEMED"],
            ["DID_CHANGE_RENEWAL_PREF"]),
        Row(
            "an offer code for another product at the renewal",
            changed(Of.active, Of.state(next: "bronze", nextOffer: Of.offer(.code))),
            ["OFFER_REDEEMED/DOWNGRADE"], ["DID_CHANGE_RENEWAL_PREF"]),
        Row(
            "an offer for the product chosen before",
            changed(Of.changing, Of.state(next: "bronze", nextOffer: Of.offer())),
            ["OFFER_REDEEMED/DOWNGRADE"], []),
        Row(
            "the same offer for another product than before",
            changed(
                Of.state(nextOffer: Of.offer()), Of.state(next: "bronze", nextOffer: Of.offer())),
            ["OFFER_REDEEMED/DOWNGRADE"], ["DID_CHANGE_RENEWAL_PREF"]),
        Row("the product chosen before, again", changed(Of.changing, Of.changing), [], []),
    ]

    // EXPIRED, PRICE_INCREASE
    static let ends = [
        Row("an end after renewal was turned off", expired(.voluntary), ["EXPIRED/VOLUNTARY"], []),
        Row(
            "an end that the owner of the world made", expired(.voluntary, Of.active),
            ["EXPIRED/VOLUNTARY"], ["DID_CHANGE_RENEWAL_STATUS"]),
        Row(
            "the end of the retries", expired(.billingError, Of.retry),
            ["EXPIRED/BILLING_RETRY"], ["DID_CHANGE_RENEWAL_STATUS"]),
        Row(
            "an end for want of consent",
            expired(.noPriceConsent, Of.state(consent: .pending)), ["EXPIRED/PRICE_INCREASE"],
            ["DID_CHANGE_RENEWAL_STATUS"]),
        Row(
            "an end because the product left the shop",
            expired(.productUnavailable, Of.active), ["EXPIRED/PRODUCT_NOT_FOR_SALE"],
            ["DID_CHANGE_RENEWAL_STATUS"]),
        Row(
            "an end for another reason", expired(.other, Of.active), ["EXPIRED"],
            ["DID_CHANGE_RENEWAL_STATUS"]),
        Row(
            "a higher price that needs consent",
            .priceIncreased(Of.change(Of.active, Of.state(consent: .pending))),
            ["PRICE_INCREASE/PENDING"], ["PRICE_INCREASE_CONSENT"]),
        Row(
            "a higher price that needs no consent",
            .priceIncreased(Of.change(Of.active, Of.state(consent: .notNeeded))),
            ["PRICE_INCREASE/ACCEPTED"], []),
        Row(
            "consent to a higher price",
            .priceAnswered(
                question: 1, .agreed,
                Of.change(Of.state(consent: .pending), Of.state(consent: .agreed))),
            ["PRICE_INCREASE/ACCEPTED"], []),
    ]

    // REFUND, REFUND_DECLINED, REFUND_REVERSED, CONSUMPTION_REQUEST, ONE_TIME_CHARGE
    static let money = [
        Row("a consumable", .bought(.consumable, owned: nil), ["ONE_TIME_CHARGE"], []),
        Row("a non-consumable", .bought(.nonConsumable, owned: nil), ["ONE_TIME_CHARGE"], []),
        Row(
            "a non-renewing subscription", .bought(.nonRenewing, owned: nil),
            ["ONE_TIME_CHARGE"], []),
        Row(
            "a requested refund", .refundRequested(.unintendedPurchase),
            ["CONSUMPTION_REQUEST"], ["CONSUMPTION_REQUEST"]),
        Row(
            "a refunded consumable", .refunded(.consumable, standsFor: nil, nil), ["REFUND"],
            ["REFUND"]),
        Row(
            "a refunded subscription",
            .refunded(.autoRenewable, standsFor: nil, Of.change(Of.active, Of.revoked)),
            ["REFUND"], ["CANCEL", "DID_CHANGE_RENEWAL_STATUS"]),
        Row(
            "a refunded subscription that did not renew",
            .refunded(.autoRenewable, standsFor: nil, Of.change(Of.off, Of.revoked)),
            ["REFUND"], ["CANCEL"]),
        Row(
            "a refunded period before the newest",
            .refunded(.autoRenewable, standsFor: nil, nil), ["REFUND"], ["CANCEL"]),
        Row("a declined refund", .refundDeclined, ["REFUND_DECLINED"], []),
        Row("a reversed refund", .refundReversed(standsFor: nil), ["REFUND_REVERSED"], []),
    ]

    // REVOKE, and the rows that name Family Sharing
    static let families = [
        Row(
            "a member's first access to a subscription", .shared(.autoRenewable, .first),
            ["SUBSCRIBED/INITIAL_BUY"], []),
        Row(
            "a member's access after an earlier one had ended",
            .shared(.autoRenewable, .regained), ["SUBSCRIBED/RESUBSCRIBE"], []),
        Row(
            "a member's access to what the owner bought while they were away",
            .shared(.autoRenewable, .nextPeriod(nil)), ["SUBSCRIBED/RESUBSCRIBE"], []),
        Row(
            "a member's share of what the owner bought after the end",
            .shared(.autoRenewable, .nextPeriod(Of.change(Of.expired, Of.active))),
            ["SUBSCRIBED/RESUBSCRIBE"], ["DID_CHANGE_RENEWAL_STATUS"]),
        Row(
            "a member's share of an upgrade for which the owner redeemed an offer",
            .shared(
                .autoRenewable,
                .nextPeriod(Of.change(Of.active, Of.state(product: "gold", offer: .code)))),
            ["DID_CHANGE_RENEWAL_PREF/UPGRADE"],
            ["DID_CHANGE_RENEWAL_STATUS", "INTERACTIVE_RENEWAL"]),
        Row(
            "a member's share of a renewal",
            .sharedRenewal(Of.change(Of.active, Of.active)), ["DID_RENEW"], ["DID_RENEW"]),
        Row(
            "a member's share of a renewal paid after retries",
            .sharedRenewal(Of.change(Of.retry, Of.active)), ["DID_RENEW/BILLING_RECOVERY"],
            ["DID_RECOVER"]),
        Row(
            "a member's share of a renewal, later", .sharedRenewal(nil), ["DID_RENEW"],
            ["DID_RENEW"]),
        Row(
            "a member's access to a non-consumable", .shared(.nonConsumable, .first),
            ["ONE_TIME_CHARGE"], []),
        Row("the end of a share", .shareEnded, ["REVOKE"], ["REVOKE"]),
    ]

    static let silent = [
        Row(
            "a non-consumable that is owned", .bought(.nonConsumable, owned: TransactionID(1)),
            [], []),
        Row("a finished transaction", .finished, [], []),
        Row("a restored purchase", .restored, [], []),
        Row("a token that the app's server set", .appAccountTokenSet, [], []),
        Row("a period whose end was moved with another's", .periodMoved, [], []),
        Row("a declined attempt", .declined(AttemptID("a")), [], []),
        Row("another storefront", .storefrontChanged(.default), [], []),
        Row("a question about a price", .priceAsked(question: 1), [], []),
        Row("a withdrawn question", .priceQuestionWithdrawn(question: 1), [], []),
        Row(
            "consent to a price that no subscription has",
            .priceAnswered(question: 1, .agreed, nil), [], []),
        Row(
            "a declined price, besides the renewal that it turns off",
            .priceAnswered(
                question: 1, .declined,
                Of.change(
                    Of.state(consent: .pending), Of.state(isOn: false, consent: .declined))),
            [], []),
        Row(
            "a restored transaction, taken back with its purchase",
            .refunded(
                .autoRenewable, standsFor: TransactionID(1), Of.change(Of.active, Of.revoked)),
            [], []),
        Row(
            "a repeated purchase whose refund is reversed",
            .refundReversed(standsFor: TransactionID(1)), [], []),
    ]

    static let rows = periods + renewals + choices + ends + money + families + silent

    @Test(arguments: rows)
    func `each happening is reported by the notifications in the table`(row: Row) {
        #expect(Notices.v2(of: row.happening).map(\.text) == row.v2)
        #expect(Notices.v1(of: row.happening).map(\.rawValue) == row.v1)
    }
}

extension NoticeV2 {
    var text: String { subtype.map { "\(kind.rawValue)/\($0.rawValue)" } ?? kind.rawValue }
}
