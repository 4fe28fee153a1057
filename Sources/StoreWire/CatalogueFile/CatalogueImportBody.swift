import StoreModel

/// The answer to an import: its changes to the catalogue.
package struct CatalogueImportBody: Codable, Hashable, Sendable {
    package struct Change: Codable, Hashable, Sendable {
        package let productId: String
        /// The changed parts, by their names in a file, such as `displayPrice`.
        package let fields: [String]
    }

    package let added: [String]
    package let changed: [Change]
    /// No longer in the file.
    package let removed: [String]
    package let unchangedCount: Int
    /// Settings in the file that have no effect yet, by name; an export returns them.
    package let keptUnused: [String]

    package init(
        added: [String], changed: [Change], removed: [String], unchangedCount: Int,
        keptUnused: [String]
    ) {
        self.added = added
        self.changed = changed
        self.removed = removed
        self.unchangedCount = unchangedCount
        self.keptUnused = keptUnused
    }

    package init(_ difference: CatalogueDifference, keptUnused: [String]) {
        self.init(
            added: difference.added.map(\.id.rawValue),
            changed: difference.changed.map {
                Change(productId: $0.product.id.rawValue, fields: $0.fields)
            },
            removed: difference.removed.map(\.id.rawValue),
            unchangedCount: difference.unchanged.count, keptUnused: keptUnused)
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
        if !keptUnused.isEmpty {
            lines.append("kept, not used yet: \(keptUnused.joined(separator: ", "))")
            lines += keptUnused.compactMap { name in
                Self.commands[name].map { "  \(name) is for Xcode's tests; here, use \($0)" }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
