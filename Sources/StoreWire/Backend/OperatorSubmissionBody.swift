/// One submission as the operator of a purchase backend sees it, without receipts and tokens. Times
/// are milliseconds since 1970.
package struct OperatorSubmissionBody: Codable, Hashable, Sendable {
    package enum State: String, Codable, CaseIterable, Sendable {
        case received
        case kept
        /// Kept, and no longer retried automatically.
        case stalled
        case granted
        case alreadyGranted
        case refused
    }

    package struct Receipt: Codable, Hashable, Sendable {
        /// 64 hexadecimal digits.
        package let sha256: String
        package let byteCount: Int
        /// When its bytes were deleted.
        package let droppedAt: Int64?

        package init(sha256: String, byteCount: Int, droppedAt: Int64?) {
            self.sha256 = sha256
            self.byteCount = byteCount
            self.droppedAt = droppedAt
        }
    }

    package let submissionId: String
    package let userId: String
    package let userName: String
    /// As submitted by the app.
    package let productId: String
    package let transactionId: String
    package let appVersion: String
    package let state: State
    package let receipt: Receipt
    package let receivedAt: Int64
    package let changedAt: Int64
    /// How often the app sent it while it was open.
    package let timesReceived: Int
    /// How often the store was asked.
    package let tries: Int

    /// As the store said; absent until it has verified the purchase.
    package var originalTransactionId: String?
    /// The environment of the store that was asked last: `Production` or `Sandbox`.
    package var environment: String?
    package var httpStatus: Int?
    package var storeStatus: Int?
    package var lastTriedAt: Int64?
    /// Absent when nothing more will happen automatically.
    package var nextTryAt: Int64?
    package var stalledAt: Int64?
    /// The reason for a refusal, for programs.
    package var reason: String?
    /// Why it was refused or is kept, for people.
    package var message: String?
    /// The transaction's grant, whoever owns it.
    package var grant: OperatorGrantBody?
    /// The app's own fields; like the next two, only in the answer for one submission.
    package var passThrough: [String: String]?
    /// The newest events, oldest first.
    package var history: [OperatorEventBody]?
    /// How many older entries there are.
    package var historyLeftOut: Int?

    package init(
        submissionId: String, userId: String, userName: String, productId: String,
        transactionId: String, appVersion: String, state: State, receipt: Receipt,
        receivedAt: Int64, changedAt: Int64, timesReceived: Int, tries: Int
    ) {
        self.submissionId = submissionId
        self.userId = userId
        self.userName = userName
        self.productId = productId
        self.transactionId = transactionId
        self.appVersion = appVersion
        self.state = state
        self.receipt = receipt
        self.receivedAt = receivedAt
        self.changedAt = changedAt
        self.timesReceived = timesReceived
        self.tries = tries
    }
}

/// One page of submissions, newest first.
package struct OperatorSubmissionsBody: Codable, Hashable, Sendable {
    package let submissions: [OperatorSubmissionBody]
    /// The `after` of the next page; absent on the last.
    package let nextAfter: String?

    package init(submissions: [OperatorSubmissionBody], nextAfter: String?) {
        self.submissions = submissions
        self.nextAfter = nextAfter
    }
}

/// The answer to `POST /operator/v1/submissions/{submissionId}/recheck`.
package struct OperatorRecheckBody: Codable, Hashable, Sendable {
    package enum Outcome: String, Codable, CaseIterable, Sendable {
        /// The store lists the purchase, and has not revoked it.
        case stands
        /// The store revoked the purchase.
        case refunded
        /// The store verified the receipt and does not list the purchase.
        case notListed
        /// The store now refuses the receipt; the grant stays.
        case storeRefused
    }

    package let outcome: Outcome
    package let submission: OperatorSubmissionBody

    package init(outcome: Outcome, submission: OperatorSubmissionBody) {
        self.outcome = outcome
        self.submission = submission
    }
}
