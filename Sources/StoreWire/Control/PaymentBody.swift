package import StoreModel

/// `GET /control/v1/payments`: the requests to the payment provider, oldest first.
package struct PaymentsBody: Codable, Hashable, Sendable {
    package let payments: [PaymentBody]
    /// Where the next page continues; absent on the last.
    package let next: Int64?

    package init(payments: [PaymentBody], next: Int64?) {
        self.payments = payments
        self.next = next
    }
}

/// A payment that the provider was asked for, for a purchase or a renewal, and its state.
package struct PaymentBody: Codable, Hashable, Sendable {
    /// A UUID, by which the provider knows it.
    package let paymentId: String
    package let purpose: ProviderRequestBody.Purpose
    package let environment: StoreEnvironment
    package let account: String
    package let bundleId: String
    package let productId: String
    package let state: Payment.State
    /// The part that credit did not cover, in thousandths.
    package let amountMilliunits: Int64
    /// The part that was captured for the sale.
    package let capturedMilliunits: Int64?
    package let currency: String
    /// By the world's clock.
    package let askDate: Timestamp
    /// How often the provider was sent the current request without an answer.
    package let tries: Int64
    /// The transaction that it paid for.
    package let transactionId: String?
    /// The provider's name for it.
    package let reference: String?
    /// Why the provider declined.
    package let reason: String?
    /// Its refunds, oldest first.
    package let refunds: [PaymentRefundBody]

    package init(
        _ payment: Payment, account: String, bundleId: String, refunds: [PaymentRefund]
    ) {
        paymentId = payment.id.rawValue
        purpose =
            switch payment.purpose {
            case .purchase: .purchase
            case .renewal: .renewal
            }
        environment = payment.environment
        self.account = account
        self.bundleId = bundleId
        productId = payment.product.rawValue
        state = payment.state
        amountMilliunits = payment.amount.milliunits
        capturedMilliunits = payment.captured?.milliunits
        currency = payment.amount.currency.code
        askDate = payment.askedAt
        tries = payment.tries
        transactionId = payment.transaction.map { "\($0)" }
        reference = payment.reference
        reason = payment.reason
        self.refunds = refunds.map { PaymentRefundBody($0) }
    }
}

/// A refund of a payment, in its currency.
package struct PaymentRefundBody: Codable, Hashable, Sendable {
    /// A UUID, by which the provider knows it.
    package let refundId: String
    package let state: PaymentRefund.State
    package let amountMilliunits: Int64
    /// Why it failed.
    package let reason: String?

    package init(_ refund: PaymentRefund) {
        refundId = refund.id.rawValue
        state = refund.state
        amountMilliunits = refund.amount.milliunits
        reason = refund.reason
    }
}
