import StoreKit

// Names of the app's own win over StoreKit's, which are then written with their module.

/// A product of the app's own, beside StoreKit's.
public struct Product: Identifiable, Hashable, Sendable {
    public let id: String
    public let price: String

    public init(_ product: StoreKit.Product) {
        id = product.id
        price = product.displayPrice
    }

    public init(id: String, price: String) {
        self.id = id
        self.price = price
    }
}

public struct Transaction: Hashable, Sendable {
    public let product: Product.ID

    public init(_ transaction: StoreKit.Transaction) {
        product = transaction.productID
    }

    public init(product: Product.ID) {
        self.product = product
    }
}

public enum Message: Sendable {
    case bought(Product), renewed(Transaction)
}

public func latest(of product: Product) async -> Transaction? {
    await StoreKit.Transaction.latest(for: product.id)
        .map { Transaction($0.unsafePayloadValue) }
}

public func environment() async throws -> StoreKit.AppStore.Environment {
    try await StoreKit.AppTransaction.shared.payloadValue.environment
}
