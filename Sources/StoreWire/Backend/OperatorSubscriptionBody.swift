/// An auto-renewable subscription as the operator of a purchase backend sees it. Receipts have no
/// place in it. Times are milliseconds since 1970.
package struct OperatorSubscriptionBody: Codable, Hashable, Sendable {
    package let userId: String
    package let userName: String
    /// As its user sees it; times in it are by the store's clock.
    package let subscription: UserSubscriptionBody
    /// When the period began, by the store's clock, as `answeredAt`.
    package let periodBegan: Int64
    /// The store's clock when it said all that.
    package let answeredAt: Int64
    /// When that was by the backend's clock, as the next.
    package let checkedAt: Int64
    /// Absent when nothing more happens by itself.
    package var nextCheckAt: Int64?
    /// Checks in a row that brought nothing new.
    package let quietChecks: Int
    /// Checks in a row to which the store said nothing of it.
    package let failures: Int
    /// Why the last one failed.
    package var trouble: String?
    package let receipt: Receipt
    /// What happened, oldest first, the newest of it; only when looked up by transaction.
    package var history: [Event]?
    /// How many older entries there are.
    package var historyLeftOut: Int?

    /// The newest receipt, with which the store is asked.
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

/// One page of subscriptions, those that began last first.
package struct OperatorSubscriptionsBody: Codable, Hashable, Sendable {
    package let subscriptions: [OperatorSubscriptionBody]
    /// Goes into `after` to get the next page; absent on the last one.
    package let nextAfter: String?

    package init(subscriptions: [OperatorSubscriptionBody], nextAfter: String?) {
        self.subscriptions = subscriptions
        self.nextAfter = nextAfter
    }
}
