package import StoreModel

/// What the backend uses of a receipt that the store verified.
package struct ReceiptSummary: Hashable, Sendable {
    /// What the iOS 6 style says of a subscription by its status, in place of a clock.
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
    /// What the receipt holds, and what the store added since: newer renewals.
    package let purchases: [Purchase]
    /// The store's clock when it answered; the iOS 6 style does not say.
    package var requestedAt: Timestamp?
    /// When the receipt was made, by the store's clock; the iOS 6 style does not say.
    package var madeAt: Timestamp?
    /// Nil in the unified style, which says the same of expired subscriptions and others.
    package var verdict: Verdict?
    /// By the original transaction of a subscription.
    package var renewals: [String: RenewalInfo] = [:]
    /// The transactions that the store itself lists, as they stand now; in the iOS 6 style the
    /// newest of a subscription that it calls good.
    package var listed: Set<String> = []
    /// The newest receipt that the store has, when it gave one that can be sent back.
    package var latestReceipt: [UInt8]?

    package init(
        environment: StoreEnvironment, bundleID: String, applicationVersion: String,
        purchases: [Purchase]
    ) {
        self.environment = environment
        self.bundleID = bundleID
        self.applicationVersion = applicationVersion
        self.purchases = purchases
    }

    /// Whether the store took a claimed purchase back; nil when it is not listed.
    ///
    /// What is kept by its original transaction (`isKeptByOriginal`) goes with a refund of that
    /// one, unless it was bought again later.
    func isCancelled(_ claim: PurchaseClaim, isKeptByOriginal: Bool) -> Bool? {
        let ofProduct = purchases.filter { $0.productID == claim.productID }
        guard let own = ofProduct.first(where: { $0.transactionID == claim.transactionID }) else {
            return nil
        }
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
        /// The store took the purchase back. An upgrade, which cancels too, is none.
        package let isCancelled: Bool
        /// When it did, if it said so.
        package let cancelledAt: Timestamp?
        package let purchasedAt: Timestamp?
        /// The end of a period of an auto-renewable subscription; nil for anything else.
        package let expiresAt: Timestamp?
        /// Another product of the group took this period's place.
        package let isUpgraded: Bool
        /// The promotional offer that it was bought with; nil for what a family member shares.
        package let offerID: String?
        /// The app's name for its user, where it is a UUID; in small letters.
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

    /// What the store says of a subscription's next renewal; nil where it does not say.
    package struct RenewalInfo: Hashable, Sendable {
        package var renews: Bool?
        /// The product that it renews as.
        package var renewsAs: String?
        /// Whether a payment that failed is tried again.
        package var isRetried: Bool?
        package var graceEndsAt: Timestamp?
        /// Whether the store did not tell when a grace ends.
        package var isGraceEstimated = false
        /// Why it ended, 1 to 5 (*expiration_intent*).
        package var intent: Int64?
        /// Whether the store called the subscription expired, as the iOS 6 style does by 21006.
        package var isOver = false

        package init(
            renews: Bool? = nil, renewsAs: String? = nil, isRetried: Bool? = nil,
            graceEndsAt: Timestamp? = nil, isGraceEstimated: Bool = false, intent: Int64? = nil,
            isOver: Bool = false
        ) {
            self.renews = renews
            self.renewsAs = renewsAs
            self.isRetried = isRetried
            self.graceEndsAt = graceEndsAt
            self.isGraceEstimated = isGraceEstimated
            self.intent = intent
            self.isOver = isOver
        }
    }
}
