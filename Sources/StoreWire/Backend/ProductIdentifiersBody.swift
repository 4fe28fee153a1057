/// The answer to `GET /v1/products`: what the app asks the store about.
package struct ProductIdentifiersBody: Codable, Hashable, Sendable {
    package let productIdentifiers: [String]

    package init(productIdentifiers: [String]) {
        self.productIdentifiers = productIdentifiers
    }
}
