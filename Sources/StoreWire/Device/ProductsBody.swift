package import StoreModel

/// `POST /device/v1/products`: which of these identifiers may be sold, and what they are.
package struct ProductsRequestBody: Codable, Hashable, Sendable {
    package let productIdentifiers: [String]
    /// The person's locale, as `en_US`; the storefront's own when absent.
    package let locale: String?

    package init(productIdentifiers: [String], locale: String?) {
        self.productIdentifiers = productIdentifiers
        self.locale = locale
    }
}

package struct ProductsAnswerBody: Codable, Hashable, Sendable {
    package let products: [ProductBody]
    /// Unknown, not cleared for sale, or not known yet; in the order asked.
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
    /// A locale that writes this price, such as `de_DE@currency=EUR`.
    package let priceLocale: String
    package let isFamilyShareable: Bool
    package let subscriptionGroupIdentifier: String?
    /// How long one period of a subscription lasts; absent when it is none.
    package var subscriptionPeriod: RenewalPeriod?
    /// The introductory offer for a new subscriber; absent when there is none.
    package var introductoryOffer: OfferBody?
    /// The promotional offers of a subscription, in the order of the catalogue; absent when there
    /// are none.
    package var promotionalOffers: [OfferBody]?
    /// The version of the content that a purchase brings; absent when there is none.
    package var downloadContentVersion: String?
    /// Bytes of the content, one number as long as there is one package; absent when there is none.
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
