/// The answer to `GET /v1/purchases`: everything that was granted to the user, oldest first.
///
/// Auto-renewable subscriptions are among `subscriptions` only: that one was granted says nothing of
/// whether it is served.
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
        /// When the store took the purchase back, in milliseconds since 1970; absent while it
        /// did not. What was refunded has no content any more.
        package let refundedAt: Int64?
        /// Absent when the product delivers nothing (any more).
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

    /// What `GET /v1/products/{productId}/content` would give.
    package struct ContentName: Codable, Hashable, Sendable {
        package let name: String
        package let mediaType: String

        package init(name: String, mediaType: String) {
            self.name = name
            self.mediaType = mediaType
        }
    }

    package let purchases: [Purchase]
    /// How every subscription stands, also what ended.
    package let subscriptions: [UserSubscriptionBody]

    package init(purchases: [Purchase], subscriptions: [UserSubscriptionBody]) {
        self.purchases = purchases
        self.subscriptions = subscriptions
    }
}
