/// `GET /device/v1/transactions`: everything unfinished of the account in this app, oldest first.
package struct UnfinishedBody: Codable, Hashable, Sendable {
    package let transactions: [TransactionBody]
    /// Where to go on with `/device/v1/updates?after=`.
    package let cursor: Int64
    package let receiptRevision: Int64
    /// Price questions that the account has not answered; absent when there are none.
    package let priceConsents: [DevicePriceConsentBody]?

    package init(
        transactions: [TransactionBody], cursor: Int64, receiptRevision: Int64,
        priceConsents: [DevicePriceConsentBody] = []
    ) {
        self.transactions = transactions
        self.cursor = cursor
        self.receiptRevision = receiptRevision
        self.priceConsents = priceConsents.isEmpty ? nil : priceConsents
    }
}

/// `GET /device/v1/updates?after=N&wait=S`: what happened since, waiting up to S seconds
/// (25 at most) for the first. No events means that the wait ended.
package struct UpdatesBody: Codable, Hashable, Sendable {
    package let events: [UpdateBody]
    package let cursor: Int64
    package let receiptRevision: Int64

    package init(events: [UpdateBody], cursor: Int64, receiptRevision: Int64) {
        self.events = events
        self.cursor = cursor
        self.receiptRevision = receiptRevision
    }
}

package struct UpdateBody: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, CaseIterable, Sendable {
        /// A purchase ended well; it waits until the app finishes it.
        case purchased
        /// An app finished it, perhaps on another device.
        case finished
        /// A request for approval ended without a purchase. The subject is the attempt's id; the
        /// device that made it posts it again to learn why.
        case declined
        /// The purchase was taken back; the receipt says so.
        case revoked
        /// The account buys in another storefront; the subject is its country code.
        case storefrontChanged
        /// The account was asked about a price, or has answered.
        case priceConsent
    }

    package let number: Int64
    package let kind: Kind
    /// Present when it is of a transaction.
    package let transaction: TransactionBody?
    /// What else it is of; each kind says which.
    package let subject: String?
    /// Present when it is of one: as it is now, whatever it was when the event came about.
    package let priceConsent: DevicePriceConsentBody?

    package init(
        number: Int64, kind: Kind, transaction: TransactionBody?, subject: String? = nil,
        priceConsent: DevicePriceConsentBody? = nil
    ) {
        self.number = number
        self.kind = kind
        self.transaction = transaction
        self.subject = subject
        self.priceConsent = priceConsent
    }
}

/// `POST /device/v1/transactions/{id}/finish`; the same answer however often it is asked.
package struct FinishAnswerBody: Codable, Hashable, Sendable {
    package let transactionId: String
    package let receiptRevision: Int64

    package init(transactionId: String, receiptRevision: Int64) {
        self.transactionId = transactionId
        self.receiptRevision = receiptRevision
    }
}

/// `GET /device/v1/receipt` answers the receipt's bytes (application/octet-stream) and its
/// revision in this header.
package let receiptRevisionHeader = "Receipt-Revision"
