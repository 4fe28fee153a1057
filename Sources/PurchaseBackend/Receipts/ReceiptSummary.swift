package import StoreModel

/// The parts of a verified receipt that the backend uses.
package struct ReceiptSummary: Hashable, Sendable {
    /// What the iOS 6 style says about a subscription by its status, in place of a clock.
    package enum Verdict: Hashable, Sendable {
        /// Status 0.
        case running
        /// Status 21006.
        case expired
    }

    /// Where it was verified, by the address that answered.
    package let environment: StoreEnvironment
    package let bundleID: String
    package let applicationVersion: String
    /// The purchases in the receipt, and newer renewals that the store added.
    package let purchases: [Purchase]
    /// The store's clock when it answered; absent in the iOS 6 style.
    package var requestedAt: Timestamp?
    /// When the receipt was made, by the store's clock; absent in the iOS 6 style.
    package var madeAt: Timestamp?
    /// Nil in the unified style, which does not distinguish expired subscriptions.
    package var verdict: Verdict?
    /// By the original transaction of a subscription.
    package var renewals: [String: RenewalInfo] = [:]
    /// The transactions that the store itself lists, in their current state; in the iOS 6 style the
    /// newest of a subscription that it calls good.
    package var listed: Set<String> = []
    /// The newest receipt that the store has, if it returned one that can be sent back.
    package var latestReceipt: [UInt8]?

    /// Whether the store revoked a claimed purchase; nil when it is not listed.
    ///
    /// A purchase kept by its original transaction (`isKeptByOriginal`) is revoked with it, unless
    /// it was bought again later.
    func isCancelled(_ claim: PurchaseClaim, isKeptByOriginal: Bool) -> Bool? {
        let ofProduct = purchases.filter { $0.productID == claim.productID }
        // A payment for a change of a subscription's product names the period that runs.
        let own =
            ofProduct.first { $0.transactionID == claim.transactionID }
            ?? purchases.first {
                $0.transactionID == claim.transactionID && $0.expiresAt != nil
            }
        guard let own else { return nil }
        guard !own.isCancelled, isKeptByOriginal else { return own.isCancelled }
        return ofProduct.contains { other in
            guard other.isCancelled, other.originalTransactionID == own.originalTransactionID
            else { return false }
            guard let purchasedAt = own.purchasedAt, let cancelledAt = other.cancelledAt else {
                return true
            }
            return purchasedAt <= cancelledAt
        }
    }

    package struct Purchase: Hashable, Sendable {
        package let productID: String
        package let transactionID: String
        package let originalTransactionID: String
        package let quantity: Int64
        /// The store revoked the purchase. An upgrade, which is also marked cancelled, does not
        /// count.
        package let isCancelled: Bool
        /// When the store revoked it, if it said so.
        package let cancelledAt: Timestamp?
        package let purchasedAt: Timestamp?
        /// The end of a period of an auto-renewable subscription; nil for anything else.
        package let expiresAt: Timestamp?
        /// Another product of the group replaced this period.
        package let isUpgraded: Bool
        /// The promotional offer that it was bought with; nil for a purchase shared by a family
        /// member.
        package let offerID: String?
        /// The app's name for its user, where it is a UUID; in lowercase.
        package let appAccountToken: String?

        package init(
            productID: String, transactionID: String, originalTransactionID: String,
            quantity: Int64 = 1, isCancelled: Bool = false, cancelledAt: Timestamp? = nil,
            purchasedAt: Timestamp? = nil, expiresAt: Timestamp? = nil, isUpgraded: Bool = false,
            offerID: String? = nil, appAccountToken: String? = nil
        ) {
            self.productID = productID
            self.transactionID = transactionID
            self.originalTransactionID = originalTransactionID
            self.quantity = quantity
            self.isCancelled = isCancelled
            self.cancelledAt = cancelledAt
            self.purchasedAt = purchasedAt
            self.expiresAt = expiresAt
            self.isUpgraded = isUpgraded
            self.offerID = offerID
            self.appAccountToken = appAccountToken
        }
    }

    /// What the store says about a subscription's next renewal; nil where it does not say.
    package struct RenewalInfo: Hashable, Sendable {
        package var renews: Bool?
        /// The product that it renews as.
        package var renewsAs: String?
        /// Whether a failed payment is being retried.
        package var isRetried: Bool?
        package var graceEndsAt: Timestamp?
        /// Whether the store did not say when a grace period ends.
        package var isGraceEstimated = false
        /// Why it ended, 1 to 5 (*expiration_intent*).
        package var intent: Int64?
        /// Whether the store called the subscription expired, as the iOS 6 style does by 21006.
        package var isOver = false
    }
}
