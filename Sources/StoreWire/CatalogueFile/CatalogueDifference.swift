package import StoreModel

/// The changes that importing a file would make in a catalogue.
///
/// Only the contents of a file are compared: sale states and storefront prices are set by hand and
/// stay. Every list is ordered by product identifier.
package struct CatalogueDifference: Hashable, Sendable {
    package struct Change: Hashable, Sendable {
        package let product: Product
        /// The differing parts, by their names in a file, such as `displayPrice`; the offers of
        /// every kind are one part, `offers`.
        package let fields: [String]
    }

    package let added: [Product]
    package let changed: [Change]
    /// In the catalogue and no longer in the file.
    package let removed: [Product]
    package let unchanged: [Product]

    package init(from old: [Product], to new: [Product]) {
        let before = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let after = Dictionary(new.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let ordered = after.values.sorted { $0.id < $1.id }
        let compared = ordered.compactMap { product in
            before[product.id].map {
                Change(product: product, fields: Self.fields(from: $0, to: product))
            }
        }
        added = ordered.filter { before[$0.id] == nil }
        changed = compared.filter { !$0.fields.isEmpty }
        unchanged = compared.filter(\.fields.isEmpty).map(\.product)
        removed = before.values.filter { after[$0.id] == nil }.sorted { $0.id < $1.id }
    }

    /// Whether an import would change nothing.
    package var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }

    private static func fields(from old: Product, to new: Product) -> [String] {
        let differences: [(name: String, differs: Bool)] = [
            ("type", old.kind != new.kind),
            ("referenceName", old.referenceName != new.referenceName),
            ("internalID", old.internalID != new.internalID),
            ("familyShareable", old.isFamilyShareable != new.isFamilyShareable),
            ("subscriptionGroupID", old.subscriptionGroup != new.subscriptionGroup),
            ("recurringSubscriptionPeriod", old.renewalPeriod != new.renewalPeriod),
            ("groupNumber", old.groupLevel != new.groupLevel),
            ("offers", old.offers != new.offers),
            ("displayPrice", old.basePrice != new.basePrice),
            ("localizations", old.texts != new.texts),
        ]
        return differences.filter(\.differs).map(\.name)
    }
}
