import StoreWire

/// Products that an account no longer owns.
struct Revocations: Hashable, Sendable {
    /// Each once.
    let products: [String]
    /// The number of the first event that reports them.
    let number: Int64

    /// Nil when the news contains no revocation.
    init?(_ updates: [UpdateBody]) {
        var products: [String] = []
        var number: Int64?
        for update in updates where update.kind == .revoked {
            guard let product = update.transaction?.productId else { continue }
            if !products.contains(product) { products.append(product) }
            number = number ?? update.number
        }
        guard let number else { return nil }
        self.products = products
        self.number = number
    }
}
