package import StoreModel

/// The answer to an import: its changes to the catalogue.
package struct CatalogueImportBody: Codable, Hashable, Sendable {
    package struct Change: Codable, Hashable, Sendable {
        package let productId: String
        /// The changed parts, by their names in a file, such as `displayPrice`.
        package let fields: [String]
    }

    /// A price that the currency of the file's storefront cannot express, and what is charged
    /// there instead.
    package struct RoundedPrice: Codable, Hashable, Sendable {
        package let productId: String
        /// Of an offer's price; absent for the product's own and for an introductory offer.
        package let offerId: String?
        /// As the file has it.
        package let price: String
        package let charged: String
        package let currency: String

        /// Those of the products and their offers.
        package static func all(of products: [Product], in currency: Currency) -> [Self] {
            products.flatMap { product in
                let offers = product.offers.map { Self(product, $0, in: currency) }
                return ([Self(product, in: currency)] + offers).compactMap(\.self)
            }
        }

        private init?(
            _ product: Product, _ offer: SubscriptionOffer? = nil, in currency: Currency
        ) {
            let price = offer?.price ?? product.basePrice
            let charged = price.in(currency)
            guard charged != price.unrounded(in: currency),
                let rounded = Price(milliunits: charged.milliunits)
            else { return nil }
            productId = product.id.rawValue
            offerId = offer?.id
            self.price = price.decimal
            self.charged = rounded.decimal
            self.currency = currency.code
        }
    }

    package let added: [String]
    package let changed: [Change]
    /// No longer in the file.
    package let removed: [String]
    package let unchangedCount: Int
    /// Settings in the file that have no effect yet, by name; an export returns them.
    package let keptUnused: [String]
    package let rounded: [RoundedPrice]

    package init(
        added: [String], changed: [Change], removed: [String], unchangedCount: Int,
        keptUnused: [String], rounded: [RoundedPrice] = []
    ) {
        self.added = added
        self.changed = changed
        self.removed = removed
        self.unchangedCount = unchangedCount
        self.keptUnused = keptUnused
        self.rounded = rounded
    }

    package init(
        _ difference: CatalogueDifference, keptUnused: [String], rounded: [RoundedPrice] = []
    ) {
        self.init(
            added: difference.added.map(\.id.rawValue),
            changed: difference.changed.map {
                Change(productId: $0.product.id.rawValue, fields: $0.fields)
            },
            removed: difference.removed.map(\.id.rawValue),
            unchangedCount: difference.unchanged.count, keptUnused: keptUnused, rounded: rounded)
    }

    /// Settings of the file that have a command here, because they affect more than one app or are
    /// not a yes or no.
    private static let commands = [
        "settings._timeRate": "bodega clock pace",
        "settings._billingGracePeriodEnabled": "bodega shop set --grace-period",
    ]

    /// The difference for people, a line per product, with a trailing line break.
    package var text: String {
        var lines = [
            "\(added.count) added, \(changed.count) changed, \(removed.count) removed,"
                + " \(unchangedCount) unchanged"
        ]
        lines += added.map { "+ \($0)" }
        lines += changed.map { "~ \($0.productId): \($0.fields.joined(separator: ", "))" }
        lines += removed.map { "- \($0)" }
        lines += rounded.map {
            "rounded: \($0.productId)\($0.offerId.map { " (offer \($0))" } ?? "") costs"
                + " \($0.charged) \($0.currency), not \($0.price)"
        }
        if !keptUnused.isEmpty {
            lines.append("kept, not used yet: \(keptUnused.joined(separator: ", "))")
            lines += keptUnused.compactMap { name in
                Self.commands[name].map { "  \(name) is for Xcode's tests; here, use \($0)" }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
