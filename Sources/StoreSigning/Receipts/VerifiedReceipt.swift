package import StoreModel

/// A receipt whose chain and signature fit a root of this store.
package struct VerifiedReceipt: Sendable {
    package let payload: ReceiptPayload
    package let environment: StoreEnvironment
    package let isTest: Bool
    /// The world its leaf certificate names, which the signed payload confirms.
    package let worldID: String
}
