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
    /// The name of the subscription's group in the customer's language; absent for other products.
    package var subscriptionGroupName: String?
    /// The subscription's rank in its group, 1 for the highest; absent for other products.
    package var subscriptionGroupLevel: Int?
    /// The store's own identifier of the product, as catalogue files have it.
    package var internalId: String?
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
