/// An auto-renewable subscription as the operator of a purchase backend sees it, without receipts.
/// Times are milliseconds since 1970.
package struct OperatorSubscriptionBody: Codable, Hashable, Sendable {
    package let userId: String
    package let userName: String
    /// As its user sees it; its times are by the store's clock.
    package let subscription: UserSubscriptionBody
    /// When the period began, like `answeredAt` by the store's clock.
    package let periodBegan: Int64
    /// The store's clock at that answer.
    package let answeredAt: Int64
    /// The same time by the backend's clock, like the next.
    package let checkedAt: Int64
    /// Absent when no check is planned.
    package var nextCheckAt: Int64?
    /// Consecutive checks that brought nothing new.
    package let quietChecks: Int
    /// Consecutive checks that failed.
    package let failures: Int
    /// Why the last one failed.
    package var trouble: String?
    package let receipt: Receipt
    /// The newest events, oldest first; only when looked up by transaction.
    package var history: [Event]?
    /// How many older entries there are.
    package var historyLeftOut: Int?

    /// The newest receipt, which is sent to the store.
    package struct Receipt: Codable, Hashable, Sendable {
        /// 64 hexadecimal digits.
        package let sha256: String
        package let byteCount: Int
        /// `unified`, or `transaction` for the style of iOS 6.
        package let style: String

        package init(sha256: String, byteCount: Int, style: String) {
            self.sha256 = sha256
            self.byteCount = byteCount
            self.style = style
        }
    }

    package struct Event: Codable, Hashable, Sendable {
        package let at: Int64
        /// By the store's clock.
        package let storeAt: Int64
        /// `began`, `renewed`, `productChanged`, `renewalSwitchedOn`, `renewalSwitchedOff`,
        /// `gracePeriod`, `billingRetry`, `expired`, `revoked` or `recovered`.
        package let event: String
        /// The `Request-Id` of the request that caused it, or `worker`.
        package let requestId: String
        package let productId: String
        package let transactionId: String
        package let expires: Int64

        package init(
            at: Int64, storeAt: Int64, event: String, requestId: String, productId: String,
            transactionId: String, expires: Int64
        ) {
            self.at = at
            self.storeAt = storeAt
            self.event = event
            self.requestId = requestId
            self.productId = productId
            self.transactionId = transactionId
            self.expires = expires
        }
    }

    package init(
        userId: String, userName: String, subscription: UserSubscriptionBody, periodBegan: Int64,
        answeredAt: Int64, checkedAt: Int64, quietChecks: Int, failures: Int, receipt: Receipt
    ) {
        self.userId = userId
        self.userName = userName
        self.subscription = subscription
        self.periodBegan = periodBegan
        self.answeredAt = answeredAt
        self.checkedAt = checkedAt
        self.quietChecks = quietChecks
        self.failures = failures
        self.receipt = receipt
    }
}

/// One page of subscriptions, most recently begun first.
package struct OperatorSubscriptionsBody: Codable, Hashable, Sendable {
    package let subscriptions: [OperatorSubscriptionBody]
    /// The `after` of the next page; absent on the last.
    package let nextAfter: String?

    package init(subscriptions: [OperatorSubscriptionBody], nextAfter: String?) {
        self.subscriptions = subscriptions
        self.nextAfter = nextAfter
    }
}
