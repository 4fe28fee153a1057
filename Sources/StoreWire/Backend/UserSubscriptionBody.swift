/// A subscription as its user sees it; times are milliseconds since 1970, by the store's clock.
package struct UserSubscriptionBody: Codable, Hashable, Sendable {
    package enum State: String, Codable, CaseIterable, Sendable {
        case active
        /// The payment failed; the service continues while the store retries.
        case gracePeriod
        /// The payment failed; the service is suspended while the store retries.
        case billingRetry
        case expired
        /// The store revoked it.
        case revoked
        /// The period is over, and the store has not been reached since to say whether it was
        /// renewed.
        case unconfirmed
    }

    package let productId: String
    /// `autoRenewable` or `nonRenewing`.
    package let kind: String
    /// The service, by its name in the product list.
    package let service: String
    /// `Production` or `Sandbox`.
    package let environment: String
    package let state: State
    /// Whether the user gets the service.
    package let isServed: Bool
    /// The end of the paid period; for non-renewing subscriptions, of all that were bought.
    package let expires: Int64
    package let inGracePeriod: Bool
    /// An estimate for a receipt in the style of iOS 6, whose answers do not include it.
    package var gracePeriodEnds: Int64?
    /// Like the next, absent if the store does not say, and for non-renewing subscriptions.
    package var autoRenews: Bool?
    /// The product that it renews as.
    package var renewsAs: String?
    /// Why it expired: `voluntary`, `billingError`, `priceNotAgreed`, `productUnavailable` or
    /// `unknown`; absent if the store does not say.
    package var reason: String?
    /// When the store revoked it.
    package var revokedAt: Int64?
    /// Absent for non-renewing subscriptions, which combine several.
    package var transactionId: String?
    package var originalTransactionId: String?

    package init(
        productId: String, kind: String, service: String, environment: String, state: State,
        isServed: Bool, expires: Int64
    ) {
        self.productId = productId
        self.kind = kind
        self.service = service
        self.environment = environment
        self.state = state
        self.isServed = isServed
        self.expires = expires
        inGracePeriod = state == .gracePeriod
    }
}
