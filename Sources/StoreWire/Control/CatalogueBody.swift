package import StoreModel

/// A product as the shop owner sees it.
package struct CatalogueProductBody: Codable, Hashable, Sendable {
    package let productId: String
    package let kind: ProductKind
    package let state: SaleState
    package let referenceName: String?
    /// The price in every storefront without one of its own, as `0.99`.
    package let price: String
    /// Own prices by storefront.
    package let storefrontPrices: [String: String]

    package init(
        productId: String, kind: ProductKind, state: SaleState, referenceName: String?,
        price: String, storefrontPrices: [String: String]
    ) {
        self.productId = productId
        self.kind = kind
        self.state = state
        self.referenceName = referenceName
        self.price = price
        self.storefrontPrices = storefrontPrices
    }
}

/// `GET /control/v1/apps/{bundleId}/products`
package struct CatalogueProductsBody: Codable, Hashable, Sendable {
    package let products: [CatalogueProductBody]

    package init(products: [CatalogueProductBody]) {
        self.products = products
    }
}

/// `PUT /control/v1/apps/{bundleId}/products/{productId}/state`
package struct SaleStateBody: Codable, Hashable, Sendable {
    package let state: SaleState

    package init(state: SaleState) {
        self.state = state
    }
}

/// `PUT /control/v1/apps/{bundleId}/products/{productId}/price` and `…/prices/{storefront}`;
/// a null price takes a storefront's own away.
package struct PriceBody: Codable, Hashable, Sendable {
    package let price: String?

    package init(price: String?) {
        self.price = price
    }
}
