/// The four kinds of purchase.
package enum ProductKind: String, Codable, CaseIterable, Sendable {
    case consumable
    case nonConsumable
    case autoRenewable
    case nonRenewing

    /// Attribute 1707 of a receipt's purchase.
    package var receiptNumber: Int64 {
        switch self {
        case .nonConsumable: 0
        case .consumable: 1
        case .nonRenewing: 2
        case .autoRenewable: 3
        }
    }
}

/// Whether a product may be sold.
package enum SaleState: String, Codable, CaseIterable, Sendable {
    /// Registered, not yet approved: the store does not know it yet.
    case pendingApproval
    case clearedForSale
    case removedFromSale
}

/// A product's texts in one locale, named as catalogue files do (`en_US`).
package struct ProductText: Hashable, Sendable, Codable {
    package let locale: String
    package let name: String
    package let description: String

    package init(locale: String, name: String, description: String) {
        self.locale = locale
        self.name = name
        self.description = description
    }
}

/// A product as the catalogue keeps it.
package struct Product: Hashable, Sendable {
    package let id: ProductID
    package let kind: ProductKind
    package let referenceName: String?
    package let isFamilyShareable: Bool
    package let subscriptionGroup: String?
    package let state: SaleState
    /// The price in every storefront that has none of its own, in that storefront's currency.
    package let basePrice: Price
    package let pricesByStorefront: [String: Price]
    package let texts: [ProductText]

    package init(
        id: ProductID, kind: ProductKind, referenceName: String?, isFamilyShareable: Bool,
        subscriptionGroup: String?, state: SaleState, basePrice: Price,
        pricesByStorefront: [String: Price], texts: [ProductText]
    ) {
        self.id = id
        self.kind = kind
        self.referenceName = referenceName
        self.isFamilyShareable = isFamilyShareable
        self.subscriptionGroup = subscriptionGroup
        self.state = state
        self.basePrice = basePrice
        self.pricesByStorefront = pricesByStorefront
        self.texts = texts
    }

    package func price(in storefront: Storefront) -> Money {
        (pricesByStorefront[storefront.countryCode] ?? basePrice).in(storefront.currency)
    }

    /// The texts for a locale: its own, else its language's, else American English, else the
    /// first there are; nil for a product without texts.
    package func text(for locale: String) -> ProductText? {
        let language = locale.prefix { $0 != "_" && $0 != "-" }
        return texts.first { $0.locale == locale }
            ?? texts.first { $0.locale.prefix { $0 != "_" && $0 != "-" } == language }
            ?? texts.first { $0.locale == "en_US" } ?? texts.first
    }
}
