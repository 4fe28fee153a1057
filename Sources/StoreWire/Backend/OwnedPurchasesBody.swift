/// The answer to `GET /v1/purchases`: everything granted to the user, oldest first.
///
/// Auto-renewable subscriptions are only in `subscriptions`: a grant does not say whether one is
/// served.
package struct OwnedPurchasesBody: Codable, Hashable, Sendable {
    package struct Purchase: Codable, Hashable, Sendable {
        package let productId: String
        package let kind: String
        package let transactionId: String
        package let originalTransactionId: String
        /// `Production` or `Sandbox`.
        package let environment: String
        package let quantity: Int
        /// Milliseconds since 1970.
        package let grantedAt: Int64
        /// When the store revoked the purchase, in milliseconds since 1970; absent if it has not. A
        /// refunded purchase no longer has content.
        package let refundedAt: Int64?
        /// Absent when the product does not, or no longer, deliver content.
        package let content: ContentName?

        package init(
            productId: String, kind: String, transactionId: String,
            originalTransactionId: String, environment: String, quantity: Int,
            grantedAt: Int64, refundedAt: Int64? = nil, content: ContentName?
        ) {
            self.productId = productId
            self.kind = kind
            self.transactionId = transactionId
            self.originalTransactionId = originalTransactionId
            self.environment = environment
            self.quantity = quantity
            self.grantedAt = grantedAt
            self.refundedAt = refundedAt
            self.content = content
        }
    }

    /// The content that `GET /v1/products/{productId}/content` returns.
    package struct ContentName: Codable, Hashable, Sendable {
        package let name: String
        package let mediaType: String

        package init(name: String, mediaType: String) {
            self.name = name
            self.mediaType = mediaType
        }
    }

    package let purchases: [Purchase]
    /// The state of every subscription, including ended ones.
    package let subscriptions: [UserSubscriptionBody]
    /// Of consumables; absent when the user never had any.
    package let balances: [ConsumableBalanceBody]?

    package init(
        purchases: [Purchase], subscriptions: [UserSubscriptionBody],
        balances: [ConsumableBalanceBody]? = nil
    ) {
        self.purchases = purchases
        self.subscriptions = subscriptions
        self.balances = balances
    }
}
