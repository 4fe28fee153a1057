/// A storefront's own price from a moment on.
package struct DatedPrice: Hashable, Sendable {
    /// The country code of the storefront.
    package let storefront: String
    /// Nil ends the storefront's own price: the base price holds again.
    package let price: Price?
    /// By the world's clock; without one it holds until a dated one begins.
    package let from: Timestamp?

    package init(storefront: String, price: Price?, from: Timestamp?) {
        self.storefront = storefront
        self.price = price
        self.from = from
    }
}
