package import StoreModel
import StoreRules
package import StoreWire

/// A state that real purchases of a subscription can lead to.
package enum SubscriptionGoal: String, CaseIterable, Sendable {
    case trial, active, grace, retry, expired, refunded, upgraded

    /// The product to buy, and for an upgrade the one that takes its place.
    package struct Cast: Sendable {
        package let product: Product
        package let better: Product?
    }

    /// The goal whose state a subscription is in; one that was upgraded counts as active.
    package init(of body: SubscriptionBody) {
        self =
            switch body.state {
            case .active:
                body.offer?.kind == .introductory && body.offer?.paymentMode == .freeTrial
                    ? .trial : .active
            case .gracePeriod: .grace
            case .billingRetry: .retry
            case .expired: .expired
            case .revoked: .refunded
            }
    }

    /// The first product that fits, the plainest one if an offer would be in the way; or a given
    /// one, if it fits.
    package func cast(_ product: Product? = nil, from products: [Product]) -> Cast? {
        let all = products.filter { $0.kind == .autoRenewable }
        if let product {
            return fits(product, among: all)
                ? Cast(product: product, better: better(than: product, among: all)) : nil
        }
        let fitting = all.filter { fits($0, among: all) }
        let plain = fitting.first { self == .trial || $0.introduction == nil }
        return (plain ?? fitting.first).map {
            Cast(product: $0, better: better(than: $0, among: all))
        }
    }

    /// What a product has to be, after "a subscription".
    package var wanted: String {
        switch self {
        case .trial: "with a free trial"
        case .upgraded: "below another one of its group"
        case .active, .grace, .retry, .expired, .refunded: "that renews"
        }
    }

    /// Whether the clock has to move after the purchase.
    package func takesTime(_ product: Product) -> Bool {
        switch self {
        case .grace, .retry, .expired: true
        case .active: product.introduction != nil
        case .trial, .refunded, .upgraded: false
        }
    }

    package func isReached(by body: SubscriptionBody, _ cast: Cast) -> Bool {
        switch self {
        case .trial: body.state == .active && body.offer?.paymentMode == .freeTrial
        case .active: body.state == .active && body.offer?.kind != .introductory
        case .grace: body.state == .gracePeriod
        case .retry: body.state == .billingRetry
        case .expired: body.state == .expired
        case .refunded: body.state == .revoked
        case .upgraded: body.state == .active && body.productId == cast.better?.id.rawValue
        }
    }

    private func fits(_ product: Product, among products: [Product]) -> Bool {
        switch self {
        case .trial: product.introduction?.mode == .freeTrial
        case .upgraded: better(than: product, among: products) != nil
        case .active, .grace, .retry, .expired, .refunded: true
        }
    }

    private func better(than product: Product, among products: [Product]) -> Product? {
        guard self == .upgraded, let level = product.groupLevel else { return nil }
        return products.first {
            $0.subscriptionGroup == product.subscriptionGroup && ($0.groupLevel ?? .max) < level
        }
    }
}

extension SubscriptionGoal {
    /// When to buy a product for a first time, so that the goal is reached at a moment and by
    /// nothing but the rules: the latest time at which whatever leads to it is over.
    func purchaseTime(
        of product: Product, reachedAt now: Timestamp, pace: RenewalPace, grace: GracePeriod?
    ) -> Timestamp {
        guard takesTime(product), let period = product.renewalPeriod else { return now }
        var spans: [RenewalPace.Length] = []
        if let offer = product.introduction {
            let count = self == .active && offer.mode == .payAsYouGo ? offer.periodCount : 1
            spans =
                switch pace.length(of: offer.duration) {
                // As renewals do, which count months from the first day.
                case .calendar(.months(let months)): [.calendar(.months(months * count))]
                case let length: Array(repeating: length, count: count)
                }
        } else {
            spans = [pace.length(of: period.span)]
        }
        if self == .retry, let grace { spans.append(pace.gracePeriod(grace, of: period)) }
        func end(_ start: Timestamp) -> Timestamp { spans.reduce(start) { $0.adding($1) } }
        // Months differ in length: the first guess may be days off.
        var start = now.adding(milliseconds: now.milliseconds - end(now).milliseconds)
            .adding(.days(4))
        while end(start) > now { start = start.adding(milliseconds: -3_600_000) }
        return start
    }
}

extension Product {
    /// The offer that a first subscription begins with.
    fileprivate var introduction: SubscriptionOffer? { offers.first { $0.kind == .introductory } }
}
