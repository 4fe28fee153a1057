package import StoreModel

/// A product as the shop owner sees it; devices may see an earlier one until `settlesAt`.
package struct CatalogueProductBody: Codable, Hashable, Sendable {
    package let productId: String
    package let kind: ProductKind
    package let state: SaleState
    /// Why it was rejected; absent in every other state.
    package let reason: RejectionReason?
    package let note: String?
    package let category: SalesCategory?
    package let referenceName: String?
    package let subscriptionGroup: String?
    /// The length of a renewal period, as `P1M`; subscriptions only.
    package let renewalPeriod: RenewalPeriod?
    /// The rank in its group, 1 for the highest; subscriptions only.
    package let groupLevel: Int?
    /// The price in every storefront without one of its own, as `0.99`.
    package let price: String
    /// Own prices in force by storefront.
    package let storefrontPrices: [String: String]
    /// When devices see the last change, by the world's clock; absent once they do.
    package let settlesAt: Timestamp?

    package init(
        productId: String, kind: ProductKind, state: SaleState, reason: RejectionReason?,
        note: String?, category: SalesCategory?, referenceName: String?,
        subscriptionGroup: String?, renewalPeriod: RenewalPeriod?, groupLevel: Int?,
        price: String, storefrontPrices: [String: String], settlesAt: Timestamp?
    ) {
        self.productId = productId
        self.kind = kind
        self.state = state
        self.reason = reason
        self.note = note
        self.category = category
        self.referenceName = referenceName
        self.subscriptionGroup = subscriptionGroup
        self.renewalPeriod = renewalPeriod
        self.groupLevel = groupLevel
        self.price = price
        self.storefrontPrices = storefrontPrices
        self.settlesAt = settlesAt
    }
}

/// `GET /control/v1/apps/{bundleId}/products`
package struct CatalogueProductsBody: Codable, Hashable, Sendable {
    package let products: [CatalogueProductBody]

    package init(products: [CatalogueProductBody]) {
        self.products = products
    }
}

/// `PUT /control/v1/apps/{bundleId}/products/{productId}/category`; null removes it.
package struct CategoryBody: Codable, Hashable, Sendable {
    package let category: SalesCategory?

    package init(category: SalesCategory?) {
        self.category = category
    }
}
