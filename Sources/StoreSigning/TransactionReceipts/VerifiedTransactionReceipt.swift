package import StoreModel

/// A transaction receipt whose certificate and signature fit an authority of this store.
package struct VerifiedTransactionReceipt: Sendable {
    package let info: TransactionReceiptInfo
    /// The signed entries, in their order.
    package let pairs: [TextPair]
    package let environment: StoreEnvironment
    package let isTest: Bool
    /// The world its certificate names, which the signed device identifier confirms.
    package let worldID: String
}
