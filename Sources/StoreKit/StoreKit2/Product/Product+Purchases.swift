@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product {
    /// Gets products from the store. Identifiers that it does not sell are left out; the order is
    /// not that of the identifiers.
    ///
    /// - Throws: `StoreKitError`.
    public static func products<Identifiers>(
        for identifiers: Identifiers
    ) async throws -> [Product] where Identifiers: Collection, Identifiers.Element == String {
        try await StoreContext.current.signedPurchases.products(Array(identifiers))
    }

    /// Buys it, after the customer has agreed to.
    ///
    /// - Parameter options: What else the purchase is to have: a quantity, an offer, and so on.
    /// - Returns: The transaction, or that there is none (yet).
    /// - Throws: `Product.PurchaseError` or `StoreKitError`.
    @MainActor
    public func purchase(
        options: Set<PurchaseOption> = []
    ) async throws -> PurchaseResult {
        try await StoreContext.current.signedPurchases.purchase(self, options)
    }

    /// What came of a purchase.
    public enum PurchaseResult: Sendable {
        /// The customer bought it. Deliver it if it is verified, and finish the transaction.
        case success(VerificationResult<Transaction>)
        /// The customer did not want to.
        case userCancelled
        /// Somebody else must agree; what comes of it is on `Transaction.updates`.
        case pending
    }

    /// The account's latest transaction of it, also when it is finished or revoked.
    public var latestTransaction: VerificationResult<Transaction>? {
        get async { await Transaction.latest(for: id) }
    }

    /// The transaction by which the customer may use it now; nil if there is none.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    @available(*, deprecated, message: "Use currentEntitlements, since iOS 18.4.")
    public var currentEntitlement: VerificationResult<Transaction>? {
        get async { await Transaction.currentEntitlement(for: id) }
    }

    /// The transactions by which the customer may use it now.
    @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    public var currentEntitlements: Transaction.Transactions {
        Transaction.currentEntitlements(for: id)
    }
}
