package import StoreModel

/// What the backend sells for one app; read once at start.
package struct ProductList: Hashable, Sendable {
    package let bundleID: String
    /// The app versions that are served; empty for all.
    package let versions: Set<String>
    /// In the file's order.
    package let products: [BackendProduct]
    private let byID: [String: BackendProduct]

    package init(bundleID: String, versions: Set<String>, products: [BackendProduct]) {
        self.bundleID = bundleID
        self.versions = versions
        self.products = products
        byID = Dictionary(products.map { ($0.id, $0) }) { first, _ in first }
    }

    package subscript(id: String) -> BackendProduct? { byID[id] }
}

/// A product and what its purchase delivers.
package struct BackendProduct: Hashable, Sendable {
    package let id: String
    package let kind: ProductKind
    package let content: ProductContent?
    /// What a subscription gives; several may give the same. Its own identifier unless the list
    /// names one.
    package let service: String
    /// How long a non-renewing subscription lasts; nil for one whose end the backend does not
    /// track.
    package let length: CalendarSpan?
    /// The group of an auto-renewable subscription, of which a user has one at a time.
    package let group: String?
    /// The promotional offers given out for it.
    package let offers: [PromotionalOffer]

    package init(
        id: String, kind: ProductKind, content: ProductContent?, service: String? = nil,
        length: CalendarSpan? = nil, group: String? = nil, offers: [PromotionalOffer] = []
    ) {
        self.id = id
        self.kind = kind
        self.content = content
        self.service = service ?? id
        self.length = length
        self.group = group
        self.offers = offers
    }

    /// Whether a purchase ends at a time that the backend knows.
    var ends: Bool { kind == .autoRenewable || (kind == .nonRenewing && length != nil) }
}

/// A promotional offer of a subscription that the backend signs for users.
package struct PromotionalOffer: Hashable, Sendable {
    /// As the app's owner named it at the store.
    package let id: String
    /// How often one user may use it.
    package let usesPerUserMax: Int
}

/// Bytes with a name, as read at start.
package struct ProductContent: Hashable, Sendable {
    package let name: String
    package let mediaType: String
    package let bytes: [UInt8]
}
