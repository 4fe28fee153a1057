/// A grant as the operator sees it.
package struct OperatorGrantBody: Codable, Hashable, Sendable {
    package let userId: String
    package let userName: String
    /// The submission that it was granted for.
    package let submissionId: String
    package let productId: String
    package let kind: String
    package let transactionId: String
    package let originalTransactionId: String
    /// `Production` or `Sandbox`.
    package let environment: String
    package let quantity: Int
    package let grantedAt: Int64
    /// When the store revoked the purchase, according to the store.
    package let refundedAt: Int64?
    /// When this backend learned of it.
    package let refundSeenAt: Int64?
    /// How much of a refunded consumable the user keeps; absent for none.
    package var keptQuantity: Int?
    /// The user's balance of a consumable.
    package var balance: ConsumableBalanceBody?
    /// When the store last said that the purchase stands; like the next two, absent for
    /// auto-renewable subscriptions.
    package var checkedAt: Int64?
    /// When it is asked again; absent when no check is planned.
    package var nextCheckAt: Int64?
    /// Consecutive checks without an answer about it; absent for none.
    package var checkFailures: Int?

    package init(
        userId: String, userName: String, submissionId: String, productId: String, kind: String,
        transactionId: String, originalTransactionId: String, environment: String, quantity: Int,
        grantedAt: Int64, refundedAt: Int64?, refundSeenAt: Int64?
    ) {
        self.userId = userId
        self.userName = userName
        self.submissionId = submissionId
        self.productId = productId
        self.kind = kind
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.environment = environment
        self.quantity = quantity
        self.grantedAt = grantedAt
        self.refundedAt = refundedAt
        self.refundSeenAt = refundSeenAt
    }
}

/// One entry of a submission's history.
package struct OperatorEventBody: Codable, Hashable, Sendable {
    package let at: Int64
    /// `received`, `receivedAgain`, `kept`, `stalled`, `retried`, `granted`, `alreadyGranted`,
    /// `refused`, `rechecked`, `refunded` or `receiptDropped`.
    package let event: String
    /// The `Request-Id` of the request that caused it, or `worker`.
    package let requestId: String
    /// The number of the try; absent, like the next four, when the store was not asked.
    package let tryNumber: Int?
    /// When the store was asked; `at` is when its answer was processed.
    package let triedAt: Int64?
    package let environment: String?
    package let httpStatus: Int?
    package let storeStatus: Int?
    package let detail: String?

    package init(
        at: Int64, event: String, requestId: String, tryNumber: Int?, triedAt: Int64?,
        environment: String?, httpStatus: Int?, storeStatus: Int?, detail: String?
    ) {
        self.at = at
        self.event = event
        self.requestId = requestId
        self.tryNumber = tryNumber
        self.triedAt = triedAt
        self.environment = environment
        self.httpStatus = httpStatus
        self.storeStatus = storeStatus
        self.detail = detail
    }
}
