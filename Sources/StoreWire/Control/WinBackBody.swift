/// `GET /control/v1/subscriptions/{original}/win-backs`: the win-back offers available to the
/// customer now, best first, in the order of the catalogue; none while the subscription runs.
package struct WinBacksBody: Codable, Hashable, Sendable {
    package let offers: [OfferBody]
    /// Of their prices.
    package let currency: String

    package init(offers: [OfferBody], currency: String) {
        self.offers = offers
        self.currency = currency
    }
}

/// `POST /control/v1/subscriptions/{original}/win-back`: the customer takes such an offer.
package struct TakeWinBackBody: Codable, Hashable, Sendable {
    package let offerId: String

    package init(offerId: String) {
        self.offerId = offerId
    }
}
