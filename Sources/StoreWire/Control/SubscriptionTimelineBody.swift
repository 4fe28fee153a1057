package import StoreModel

/// `GET /control/v1/subscriptions/{original}/timeline`: a subscription's periods, what happened to it,
/// and what comes next.
package struct SubscriptionTimelineBody: Codable, Hashable, Sendable {
    package let subscription: SubscriptionBody
    /// The transactions that paid for its periods, oldest first.
    package let periods: [SaleBody]
    /// Oldest first.
    package let events: [EventBody]
    /// The `after` of the page with older periods and events; absent on the last.
    package let older: String?
    /// What happens by itself from now on, in its order.
    package let next: [SubscriptionStepBody]

    package init(
        subscription: SubscriptionBody, periods: [SaleBody], events: [EventBody], older: String?,
        next: [SubscriptionStepBody]
    ) {
        self.subscription = subscription
        self.periods = periods
        self.events = events
        self.older = older
        self.next = next
    }
}

/// Something that will happen to a subscription by itself.
package struct SubscriptionStepBody: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, CaseIterable, Sendable {
        case renewal
        /// A payment fails, and is retried from then on.
        case paymentFailure
        case gracePeriodEnd
        case expiry
    }

    package let kind: Kind
    /// By the world's clock.
    package let at: Timestamp
    /// Of a renewal, as are price and currency.
    package let productId: String?
    package let priceMilliunits: Int64?
    package let currency: String?
    /// The offer of the period that begins.
    package let offer: SubscriptionOfferBody?
    /// Of an expiry, 1 to 5 as in receipts' `expiration_intent`.
    package let expirationReason: Int64?

    package init(_ kind: Kind, at: Timestamp, expirationReason: ExpirationReason? = nil) {
        self.kind = kind
        self.at = at
        self.expirationReason = expirationReason?.rawValue
        (productId, priceMilliunits, currency, offer) = (nil, nil, nil, nil)
    }

    /// A renewal that charges an amount, with the offer of its period.
    package init(
        renewalAt at: Timestamp, product: ProductID, amount: Money, offer: Subscription.OfferInUse?
    ) {
        kind = .renewal
        self.at = at
        productId = product.rawValue
        priceMilliunits = amount.milliunits
        currency = amount.currency.code
        self.offer = offer.map { SubscriptionOfferBody($0) }
        expirationReason = nil
    }
}
