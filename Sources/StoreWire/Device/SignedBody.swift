/// `GET /device/v1/signed?after=N`: the store's signed data of the account in this app, as far as
/// they changed after an event.
///
/// Certificates are most of a compact JWS, so they travel once: a JWS is `header`, a period, and the
/// text of an item, which is its payload and its signature. Each is made for the device that asks:
/// its payload has `deviceVerification` and `deviceVerificationNonce`.
package struct SignedChangesBody: Codable, Hashable, Sendable {
    /// The most transactions in one answer.
    package static let transactionsMax = 200

    /// The header of every JWS in the answer; absent when there is none.
    package let header: String?
    /// Those that changed, each once and as it is now, in the order of their newest events.
    package let transactions: [SignedTransactionBody]
    /// The numbers of those that a test deleted; absent when there are none.
    package let deleted: [String]?
    /// All subscription groups of the app, when a status may have changed; on the last page only.
    package let groups: [SignedGroupBody]?
    /// The next `after`.
    package let cursor: Int64
    /// Whether another page follows.
    package let hasMore: Bool

    package init(
        header: String?, transactions: [SignedTransactionBody], deleted: [String]? = nil,
        groups: [SignedGroupBody]?, cursor: Int64, hasMore: Bool
    ) {
        self.header = header
        self.transactions = transactions
        self.deleted = deleted
        self.groups = groups
        self.cursor = cursor
        self.hasMore = hasMore
    }
}

/// A transaction, signed, with what its device must know besides.
package struct SignedTransactionBody: Codable, Hashable, Sendable {
    /// Digits.
    package let transactionId: String
    /// As in `TransactionBody`.
    package let attemptId: String
    package let deviceGuid: String
    /// True when it no longer needs to be delivered; absent while it waits.
    package let isFinished: Bool?
    /// The JWS without its header.
    package let transaction: String

    package init(
        transactionId: String, attemptId: String, deviceGuid: String, isFinished: Bool?,
        transaction: String
    ) {
        self.transactionId = transactionId
        self.attemptId = attemptId
        self.deviceGuid = deviceGuid
        self.isFinished = isFinished
        self.transaction = transaction
    }
}

/// A subscription group as the account sees it.
package struct SignedGroupBody: Codable, Hashable, Sendable {
    package let groupId: String
    /// Whether the account has used no introductory offer of the group.
    package let isEligibleForIntroductoryOffer: Bool
    /// Empty when the account never subscribed; two or more with family sharing.
    package let statuses: [SignedStatusBody]

    package init(
        groupId: String, isEligibleForIntroductoryOffer: Bool, statuses: [SignedStatusBody]
    ) {
        self.groupId = groupId
        self.isEligibleForIntroductoryOffer = isEligibleForIntroductoryOffer
        self.statuses = statuses
    }
}

/// A subscription's status, with its newest transaction and its renewal.
package struct SignedStatusBody: Codable, Hashable, Sendable {
    /// 1 subscribed, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
    package let status: Int
    package let originalTransactionId: String
    /// The JWS without its header, like `renewal`.
    package let transaction: String
    package let renewal: String

    package init(
        status: Int, originalTransactionId: String, transaction: String, renewal: String
    ) {
        self.status = status
        self.originalTransactionId = originalTransactionId
        self.transaction = transaction
        self.renewal = renewal
    }
}

/// The signed data of a purchase, sent along with the answer to its attempt instead of receipts.
package struct SignedPurchaseBody: Codable, Hashable, Sendable {
    /// The query item of `POST /device/v1/attempts` that asks for them, and of
    /// `GET /device/v1/updates` that asks to hear of every change of signed data.
    package static let queryName = "signed"

    package let header: String
    package let transaction: SignedTransactionBody
    /// All subscription groups of the app, when a subscription was bought or changed.
    package let groups: [SignedGroupBody]?

    package init(
        header: String, transaction: SignedTransactionBody, groups: [SignedGroupBody]?
    ) {
        self.header = header
        self.transaction = transaction
        self.groups = groups
    }
}

/// `GET /device/v1/app-transaction`: when, with which version and how the account got the app.
package struct SignedAppTransactionBody: Codable, Hashable, Sendable {
    /// A whole JWS.
    package let appTransaction: String

    package init(appTransaction: String) {
        self.appTransaction = appTransaction
    }
}
