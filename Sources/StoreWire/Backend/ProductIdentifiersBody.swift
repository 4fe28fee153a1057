/// The answer to `GET /v1/products`: the identifiers to request from the store.
package struct ProductIdentifiersBody: Codable, Hashable, Sendable {
    package let productIdentifiers: [String]

    package init(productIdentifiers: [String]) {
        self.productIdentifiers = productIdentifiers
    }
}
