package enum PaymentEntity {}
package enum PaymentRefundEntity {}

/// What a payment is named by, here and at its provider: a UUID that the store makes.
package typealias PaymentID = Identifier<PaymentEntity, String>
/// The same of a refund of one.
package typealias PaymentRefundID = Identifier<PaymentRefundEntity, String>

/// What a customer's payment provider was asked to pay of one purchase or renewal.
package struct Payment: Hashable, Sendable {
    package enum State: String, Codable, CaseIterable, Sendable {
        /// The provider is to authorize it; whether it did is not known.
        case authorizing
        /// The provider said no.
        case declined
        /// What it was for is sold; the provider is to capture it.
        case capturing
        case captured
        /// Nothing is sold for it; the provider is to let go of it.
        case voiding
        case voided
        /// The provider said no to a capture or a void.
        case failed
    }

    package enum Purpose: Hashable, Sendable {
        /// Of the attempt that waits under this number.
        case purchase(waiting: Int64)
        /// Of the subscription that began with this transaction.
        case renewal(TransactionID)
    }

    package let id: PaymentID
    package let purpose: Purpose
    package let environment: StoreEnvironment
    package let account: AccountID
    package let app: AppID
    package let product: ProductID
    /// What is asked for, above 0.
    package let amount: Money
    /// By the world's clock.
    package let askedAt: Timestamp
    /// By the real one, which the provider goes by.
    package let askedReal: Timestamp
    package var state = State.authorizing
    /// Whether the provider said yes, while what it is for waits for another payment.
    package var isApproved = false
    /// What of the amount is taken for the sale; nil before there is one.
    package var captured: Money?
    /// What was sold for it.
    package var transaction: TransactionID?
    /// The provider's name for it.
    package var reference: String?
    /// Why the provider declined.
    package var reason: String?
    /// How often the provider was asked, since the state changed, without an answer.
    package var tries: Int64 = 0

    package init(
        id: PaymentID, purpose: Purpose, environment: StoreEnvironment, account: AccountID,
        app: AppID, product: ProductID, amount: Money, askedAt: Timestamp, askedReal: Timestamp
    ) {
        self.id = id
        self.purpose = purpose
        self.environment = environment
        self.account = account
        self.app = app
        self.product = product
        self.amount = amount
        self.askedAt = askedAt
        self.askedReal = askedReal
    }
}

/// What of a payment goes back to who made it.
package struct PaymentRefund: Hashable, Sendable {
    package enum State: String, Codable, CaseIterable, Sendable {
        /// The provider is to give it back.
        case refunding
        case refunded
        /// The provider said no, or never took the money.
        case failed
    }

    package let id: PaymentRefundID
    package let payment: PaymentID
    /// Above 0.
    package let amount: Money
    package var state = State.refunding
    /// Why it failed.
    package var reason: String?

    package init(id: PaymentRefundID, payment: PaymentID, amount: Money) {
        self.id = id
        self.payment = payment
        self.amount = amount
    }
}
