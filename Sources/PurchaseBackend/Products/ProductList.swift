package import StoreModel

/// What the backend sells for one app: read once at start, the same until the next.
package struct ProductList: Hashable, Sendable {
    package let bundleID: String
    /// App versions that are served; empty when any is.
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

    package init(id: String, kind: ProductKind, content: ProductContent?) {
        self.id = id
        self.kind = kind
        self.content = content
    }
}

/// Bytes with a name, as they were at start.
package struct ProductContent: Hashable, Sendable {
    package let name: String
    package let mediaType: String
    package let bytes: [UInt8]

    package init(name: String, mediaType: String, bytes: [UInt8]) {
        self.name = name
        self.mediaType = mediaType
        self.bytes = bytes
    }
}
