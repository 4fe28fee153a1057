/// `GET /control/v1/subscriptions/{original}/win-backs`: the offers that would win its person back
/// now, the best first, in the order of the catalogue; none while it goes on.
package struct WinBacksBody: Codable, Hashable, Sendable {
    package let offers: [OfferBody]
    /// Of their prices.
    package let currency: String

    package init(offers: [OfferBody], currency: String) {
        self.offers = offers
        self.currency = currency
    }
}

/// `POST /control/v1/subscriptions/{original}/win-back`: its person takes such an offer.
package struct TakeWinBackBody: Codable, Hashable, Sendable {
    package let offerId: String

    package init(offerId: String) {
        self.offerId = offerId
    }
}
