/// A product under which an app sells from a catalogue of its own. It is bought with a sheet of
/// UIKit, which Linux lacks.
///
/// ```swift
/// func countOfSongs() async throws -> Int {
///     let songs = try await AdvancedCommerceProduct(id: "com.example.songs")
///     return await songs.allTransactions.reduce(0) { count, _ in count + 1 }
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/advancedcommerceproduct>
@available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
public struct AdvancedCommerceProduct: Identifiable, Hashable, Sendable {
    /// The kind of product.
    public typealias ProductType = Product.ProductType
    /// What came of a purchase.
    public typealias PurchaseResult = Product.PurchaseResult

    private let product: Product

    /// Gets the product from the store.
    ///
    /// - Throws: `StoreKitError`; `Product.PurchaseError.productUnavailable` when the store does not
    ///   sell it.
    public init(id: Product.ID) async throws {
        guard let product = try await Product.products(for: [id]).first else {
            throw Product.PurchaseError.productUnavailable
        }
        self.product = product
    }

    /// The identifier it was registered under.
    public var id: Product.ID { product.id }

    /// The kind of product.
    public var type: ProductType { product.type }

    /// The account's latest transaction of it, also when it is finished or revoked.
    public var latestTransaction: VerificationResult<Transaction>? {
        get async { await product.latestTransaction }
    }

    /// Everything that the account bought of it.
    public var allTransactions: Transaction.Transactions { Transaction.all(for: id) }

    /// The transactions by which the customer may use it now.
    public var currentEntitlements: Transaction.Transactions { product.currentEntitlements }
}

@available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
extension AdvancedCommerceProduct: CustomDebugStringConvertible {
    /// What the store sent of it: JSON.
    public var debugDescription: String { product.debugDescription }
}
