import StoreModel
import StoreRules

/// Subscriptions in the states between which something happens.
enum NoticeSamples {
    static let active = state()
    static let off = state(isOn: false)
    static let changing = state(next: "bronze")
    static let grace = state(.gracePeriod(until: Samples.day(2023, 3, 8)))
    static let retry = state(.billingRetry)
    static let retryOff = state(.billingRetry, isOn: false)
    static let expired = state(.expired(.voluntary), isOn: false)
    static let revoked = state(.revoked, isOn: false)
    static let gold = state(product: "gold")

    static func state(
        _ phase: Subscription.Phase = .active, product: String = "silver", isOn: Bool = true,
        next: String? = nil, nextOffer: SubscriptionOffer? = nil,
        offer: SubscriptionOffer.Kind? = nil, consent: Subscription.PriceIncrease.Consent? = nil
    ) -> Subscription {
        Subscription(
            original: TransactionID(1), phase: phase, product: ProductID(product), period: .month,
            startedAt: Samples.start, expiresAt: Samples.day(2023, 2, 28),
            anchor: Subscription.Anchor(at: Samples.start, months: 1),
            price: Samples.money(9_990), isAutoRenewing: isOn,
            nextProduct: next.map { ProductID($0) }, nextOffer: nextOffer,
            offer: offer.map {
                Subscription.OfferInUse(
                    kind: $0, id: "a", mode: .payAsYouGo, price: Samples.money(990), periodsLeft: 0,
                    duration: .months(1))
            },
            increase: consent.map {
                Subscription.PriceIncrease(price: Samples.money(12_990), consent: $0)
            })
    }

    static func offer(_ kind: SubscriptionOffer.Kind = .promotional) -> SubscriptionOffer {
        SubscriptionOffer(
            kind: kind, id: "a", mode: .payAsYouGo, span: .months(1), periodCount: 1,
            price: .free)
    }

    static func change(
        _ before: Subscription?, _ after: Subscription
    ) -> SubscriptionTransition {
        SubscriptionTransition(from: before, to: after)
    }
}
