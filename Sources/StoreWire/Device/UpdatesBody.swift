/// `GET /device/v1/transactions`: all unfinished transactions of the account in this app, oldest
/// first.
package struct UnfinishedBody: Codable, Hashable, Sendable {
    package let transactions: [TransactionBody]
    /// Where to continue with `/device/v1/updates?after=`.
    package let cursor: Int64
    package let receiptRevision: Int64
    /// Price questions that the account has not answered; absent when there are none.
    package let priceConsents: [DevicePriceConsentBody]?
    /// The country code of the account's storefront, as of the cursor; absent from stores of earlier
    /// versions.
    package let storefront: String?

    package init(
        transactions: [TransactionBody], cursor: Int64, receiptRevision: Int64,
        priceConsents: [DevicePriceConsentBody] = [], storefront: String? = nil
    ) {
        self.storefront = storefront
        self.transactions = transactions
        self.cursor = cursor
        self.receiptRevision = receiptRevision
        self.priceConsents = priceConsents.isEmpty ? nil : priceConsents
    }
}

/// `GET /device/v1/updates?after=N&wait=S`: the events since then, waiting up to S seconds (25 at
/// most) for the first. An empty list means that the wait ended.
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
        /// A purchase succeeded; it waits until the app finishes it.
        case purchased
        /// An app finished it, perhaps on another device.
        case finished
        /// A request for approval ended without a purchase. The subject is the attempt's id; the
        /// device that made it posts it again to learn why.
        case declined
        /// The purchase was revoked; the receipt shows it.
        case revoked
        /// The account buys in another storefront; the subject is its country code.
        case storefrontChanged
        /// The account was asked about a price, or has answered.
        case priceConsent
        /// Something signed changed that no other kind tells; only for devices that ask for it.
        case signedChanged
    }

    package let number: Int64
    package let kind: Kind
    /// Present when it concerns a transaction.
    package let transaction: TransactionBody?
    /// What else it concerns, depending on the kind.
    package let subject: String?
    /// Present when it concerns one: its current state, not the one at the event.
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

/// `POST /device/v1/transactions/{id}/finish`; repeating it gives the same answer.
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
