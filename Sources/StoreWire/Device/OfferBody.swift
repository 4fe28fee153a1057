package import StoreModel

/// A lower price for the beginning of a subscription, as a device shows it.
package struct OfferBody: Codable, Hashable, Sendable {
    /// Of a promotional or win-back offer; absent from an introductory one.
    package let offerId: String?
    package let paymentMode: SubscriptionOffer.PaymentMode
    /// One period of it, such as `P1W`; for `payAsYouGo`, the subscription's own.
    package let period: String
    package let numberOfPeriods: Int
    /// The price of one payment, in thousandths of the product's currency unit.
    package let priceMilliunits: Int64

    package init(_ offer: SubscriptionOffer, in currency: Currency) {
        offerId = offer.id
        paymentMode = offer.mode
        period = offer.span.iso8601
        numberOfPeriods = offer.periodCount
        priceMilliunits = offer.price.in(currency).milliunits
    }
}
