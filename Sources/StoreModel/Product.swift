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
    /// Xcode's own identifier of it; nil when the file has none.
    package let internalID: String?
    package let isFamilyShareable: Bool
    package let subscriptionGroup: String?
    /// Of an auto-renewable subscription.
    package let renewalPeriod: RenewalPeriod?
    /// The rank in its group, 1 for the highest; nil when the file does not say.
    package let groupLevel: Int?
    /// Special prices for the beginning of a subscription, in the order of the file.
    package let offers: [SubscriptionOffer]
    package let state: SaleState
    package let category: SalesCategory?
    /// The price in every storefront without one of its own, in that storefront's currency.
    package let basePrice: Price
    /// The storefronts' own prices, past and future, in the order they were set; `PriceRules`
    /// decides which one is in force.
    package let ownPrices: [DatedPrice]
    package let texts: [ProductText]

    package init(
        id: ProductID, kind: ProductKind, referenceName: String?, internalID: String? = nil,
        isFamilyShareable: Bool, subscriptionGroup: String?, renewalPeriod: RenewalPeriod? = nil,
        groupLevel: Int? = nil,
        offers: [SubscriptionOffer] = [], state: SaleState, category: SalesCategory? = nil,
        basePrice: Price,
        ownPrices: [DatedPrice] = [], texts: [ProductText]
    ) {
        self.id = id
        self.kind = kind
        self.referenceName = referenceName
        self.internalID = internalID
        self.isFamilyShareable = isFamilyShareable
        self.subscriptionGroup = subscriptionGroup
        self.renewalPeriod = renewalPeriod
        self.groupLevel = groupLevel
        self.offers = offers
        self.state = state
        self.category = category
        self.basePrice = basePrice
        self.ownPrices = ownPrices
        self.texts = texts
    }

    /// The texts for a locale; nil for a product without texts.
    package func text(for locale: String) -> ProductText? { texts.text(for: locale) }
}

/// A group of subscriptions, of which a customer has one at a time.
package struct SubscriptionGroup: Hashable, Sendable {
    package let id: String
    package let referenceName: String?
    /// Their names are what customers see; groups have no descriptions.
    package let texts: [ProductText]

    package init(id: String, referenceName: String?, texts: [ProductText]) {
        self.id = id
        self.referenceName = referenceName
        self.texts = texts
    }

    /// What customers with a locale see; a localization without a name counts as none.
    package func displayName(for locale: String) -> String {
        texts.filter { !$0.name.isEmpty }.text(for: locale)?.name ?? referenceName ?? id
    }
}

extension [ProductText] {
    /// Those of a locale: its own, else its language's, else American English, else the first; nil
    /// when there are none.
    package func text(for locale: String) -> ProductText? {
        let language = locale.prefix { $0 != "_" && $0 != "-" }
        return first { $0.locale == locale }
            ?? first { $0.locale.prefix { $0 != "_" && $0 != "-" } == language }
            ?? first { $0.locale == "en_US" } ?? first
    }
}

/// A product's category in the older way of sorting sales; it has no effect.
package enum SalesCategory: String, Codable, CaseIterable, Sendable {
    /// Books, pictures, levels, characters.
    case content
    /// A feature that the app has from then on.
    case functionality
    /// Something done once for the customer, such as a transcription.
    case service
    /// Content or services for a time.
    case subscription
}
