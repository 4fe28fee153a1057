package enum PaymentEntity {}
package enum PaymentRefundEntity {}

/// The name of a payment, here and at its provider: a UUID that the store makes.
package typealias PaymentID = Identifier<PaymentEntity, String>
/// The same for a refund of one.
package typealias PaymentRefundID = Identifier<PaymentRefundEntity, String>

/// A payment that a customer's provider was asked to make, for one purchase or renewal.
package struct Payment: Hashable, Sendable {
    package enum State: String, Codable, CaseIterable, Sendable {
        /// The provider is to authorize it; its answer is not known.
        case authorizing
        /// The provider declined.
        case declined
        /// Its purchase or renewal is made; the provider is to capture it.
        case capturing
        case captured
        /// Nothing was sold for it; the provider is to release it.
        case voiding
        case voided
        /// The provider declined a capture or a void.
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
    /// The requested amount, above 0.
    package let amount: Money
    /// By the world's clock.
    package let askedAt: Timestamp
    /// By the real clock, which the provider uses.
    package let askedReal: Timestamp
    package var state = State.authorizing
    /// Whether the provider approved it while its purchase or renewal waits for another payment.
    package var isApproved = false
    /// The part of the amount that is captured for the sale; nil before the sale.
    package var captured: Money?
    /// The transaction that it paid for.
    package var transaction: TransactionID?
    /// The provider's name for it.
    package var reference: String?
    /// Why the provider declined.
    package var reason: String?
    /// Unanswered requests to the provider since the state changed.
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

/// The part of a payment that goes back to the customer.
package struct PaymentRefund: Hashable, Sendable {
    package enum State: String, Codable, CaseIterable, Sendable {
        /// The provider is to refund it.
        case refunding
        case refunded
        /// The provider declined, or never captured the money.
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
