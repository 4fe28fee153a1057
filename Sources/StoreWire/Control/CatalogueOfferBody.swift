package import StoreModel

/// An offer of a subscription as the shop owner sees it.
package struct CatalogueOfferBody: Codable, Hashable, Sendable {
    package let productId: String
    package let kind: SubscriptionOffer.Kind
    /// The offer's identifier, or the reference name of one for codes; absent from an introductory one.
    package let offerId: String?
    package let paymentMode: SubscriptionOffer.PaymentMode
    /// One period of it, such as `P1W`; for `payAsYouGo`, the subscription's own.
    package let period: String
    package let numberOfPeriods: Int
    /// The price of one payment, as `0.99`, in the currency of the catalogue file.
    package let price: String
    /// The customers who may redeem an offer for codes; empty for the other kinds.
    package let customers: [SubscriptionOffer.Customer]

    package init(_ offer: SubscriptionOffer, of product: ProductID) {
        productId = product.rawValue
        kind = offer.kind
        offerId = offer.id
        paymentMode = offer.mode
        period = offer.span.iso8601
        numberOfPeriods = offer.periodCount
        price = offer.price.decimal
        customers = SubscriptionOffer.Customer.allCases.filter(offer.customers.contains)
    }
}

/// `GET /control/v1/apps/{bundleId}/offers`: by product, and each product's in the order of the
/// catalogue file.
package struct CatalogueOffersBody: Codable, Hashable, Sendable {
    package let offers: [CatalogueOfferBody]

    package init(offers: [CatalogueOfferBody]) {
        self.offers = offers
    }
}
