package import StoreModel

/// `POST /device/v1/products`: which of these identifiers may be sold, and their products.
package struct ProductsRequestBody: Codable, Hashable, Sendable {
    package let productIdentifiers: [String]
    /// The customer's locale, such as `en_US`; the storefront's own when absent.
    package let locale: String?

    package init(productIdentifiers: [String], locale: String?) {
        self.productIdentifiers = productIdentifiers
        self.locale = locale
    }
}

package struct ProductsAnswerBody: Codable, Hashable, Sendable {
    package let products: [ProductBody]
    /// Unknown, not cleared for sale, or not visible yet; in the order requested.
    package let invalidProductIdentifiers: [String]

    package init(products: [ProductBody], invalidProductIdentifiers: [String]) {
        self.products = products
        self.invalidProductIdentifiers = invalidProductIdentifiers
    }
}

package struct ProductBody: Codable, Hashable, Sendable {
    package let productId: String
    package let kind: ProductKind
    package let localizedTitle: String
    package let localizedDescription: String
    /// The price of one, in thousandths of the currency's unit.
    package let priceMilliunits: Int64
    package let currency: String
    /// A locale that formats this price, such as `de_DE@currency=EUR`.
    package let priceLocale: String
    package let isFamilyShareable: Bool
    package let subscriptionGroupIdentifier: String?
    /// The catalogue's own identifier of it; absent when it has none.
    package var internalId: String?
    /// The name of its group for customers; absent for other products, and until the catalogue of an
    /// earlier version is imported again.
    package var subscriptionGroupDisplayName: String?
    /// Its rank in its group, 1 for the highest; absent when the catalogue does not say.
    package var subscriptionGroupLevel: Int?
    /// The length of one subscription period; absent for other products.
    package var subscriptionPeriod: RenewalPeriod?
    /// The introductory offer for a new subscriber; absent when there is none.
    package var introductoryOffer: OfferBody?
    /// The promotional offers of a subscription, in the order of the catalogue; absent when there
    /// are none.
    package var promotionalOffers: [OfferBody]?
    /// The win-back offers of a subscription, in the order of the catalogue; absent when there are
    /// none.
    package var winBackOffers: [OfferBody]?
    /// The version of the content that a purchase delivers; absent when there is none.
    package var downloadContentVersion: String?
    /// The size of the content in bytes, one number for the one package; absent when there is none.
    package var downloadContentLengths: [Int64]?

    package var isDownloadable: Bool { downloadContentVersion != nil }

    package init(
        productId: String, kind: ProductKind, localizedTitle: String,
        localizedDescription: String, priceMilliunits: Int64, currency: String,
        priceLocale: String, isFamilyShareable: Bool, subscriptionGroupIdentifier: String?
    ) {
        self.productId = productId
        self.kind = kind
        self.localizedTitle = localizedTitle
        self.localizedDescription = localizedDescription
        self.priceMilliunits = priceMilliunits
        self.currency = currency
        self.priceLocale = priceLocale
        self.isFamilyShareable = isFamilyShareable
        self.subscriptionGroupIdentifier = subscriptionGroupIdentifier
    }
}
