/// The state of a submitted receipt: the answer to `POST /v1/receipts` and
/// `GET /v1/receipts/{submissionId}`.
package struct ReceiptOutcomeBody: Codable, Hashable, Sendable {
    package enum Status: String, Codable, CaseIterable, Sendable {
        /// Stored and being verified for the first time.
        case received
        /// Stored and not verified yet; retried without the app.
        case kept
        case granted
        /// The purchase was granted to the same user before.
        case alreadyGranted
        case refused
    }

    package let status: Status
    package let submissionId: String
    package var productId: String?
    package var transactionId: String?
    /// Absent for a product whose purchase only unlocks something in the app, and for a subscription
    /// that is not served.
    package var content: ContentBody?
    /// The state of a subscription that has an end.
    package var subscription: UserSubscriptionBody?
    package var passThrough: [String: String]?
    /// A name for programs, with `refused`.
    package var reason: String?
    /// The store's own status, when that was the reason.
    package var storeStatus: Int?
    /// A sentence for people, with `refused` and `kept`.
    package var message: String?

    package init(status: Status, submissionId: String) {
        self.status = status
        self.submissionId = submissionId
    }
}

/// The content that a purchase delivers.
package struct ContentBody: Codable, Hashable, Sendable {
    package let name: String
    package let mediaType: String
    /// The bytes in base64.
    package let data: String

    package init(name: String, mediaType: String, data: String) {
        self.name = name
        self.mediaType = mediaType
        self.data = data
    }
}
