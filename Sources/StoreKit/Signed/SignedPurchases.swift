import Foundation

/// What a device knows of an account's signed purchases, and what it can do for its app.
final class SignedPurchases: Sendable {
    enum Selection: Hashable, Sendable {
        case all, currentEntitlements, unfinished
        case allOf(productID: String), currentEntitlementsOf(productID: String)
    }

    func transactions(_ selection: Selection) async -> [VerificationResult<Transaction>] {
        fatalError("replaced")
    }

    func updates() -> AsyncStream<VerificationResult<Transaction>> { fatalError("replaced") }

    func latest(_ productID: String) async -> VerificationResult<Transaction>? {
        fatalError("replaced")
    }

    func statuses(group: String) async throws -> [Product.SubscriptionInfo.Status] {
        fatalError("replaced")
    }

    func status(transactionID: UInt64) async throws -> Product.SubscriptionInfo.Status? {
        fatalError("replaced")
    }

    func allStatuses() -> AsyncStream<
        (groupID: String, statuses: [Product.SubscriptionInfo.Status])
    > {
        fatalError("replaced")
    }

    func statusUpdates() -> AsyncStream<Product.SubscriptionInfo.Status> {
        fatalError("replaced")
    }

    func isEligibleForIntroOffer(group: String) async -> Bool { fatalError("replaced") }
    func finish(_ transaction: Transaction) async { fatalError("replaced") }

    func appTransaction(refresh: Bool) async throws -> VerificationResult<AppTransaction> {
        fatalError("replaced")
    }

    func sync() async throws { fatalError("replaced") }
    func products(_ identifiers: [String]) async throws -> [Product] { fatalError("replaced") }

    @MainActor
    func purchase(
        _ product: Product, _ options: Set<Product.PurchaseOption>
    ) async throws -> Product.PurchaseResult {
        fatalError("replaced")
    }

    func storefront() async -> Storefront? { fatalError("replaced") }
    func storefrontUpdates() -> AsyncStream<Storefront> { fatalError("replaced") }
    func messages() -> AsyncStream<Message> { fatalError("replaced") }
    func intents() -> AsyncStream<PurchaseIntent> { fatalError("replaced") }
    var deviceVerificationID: UUID? { fatalError("replaced") }
    var canMakePayments: Bool { fatalError("replaced") }
}

extension StoreContext {
    /// This context's signed purchases.
    var signedPurchases: SignedPurchases { fatalError("replaced") }
}
