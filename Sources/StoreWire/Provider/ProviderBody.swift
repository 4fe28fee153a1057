package import StoreModel

/// A request to a payment provider, for all four addresses; fields that an address does not use are
/// absent. See `docs/payment-gateway.md`.
package struct ProviderRequestBody: Codable, Hashable, Sendable {
    /// Whether a customer is present who could be asked.
    package enum Purpose: String, Codable, CaseIterable, Sendable {
        case purchase
        case renewal
    }

    package let paymentId: String
    package var refundId: String?
    /// Above 0, with its currency.
    package let milliunits: Int64?
    package let currency: String?
    /// The account's number, which never changes.
    package var customerId: String?
    /// The account's name.
    package var customer: String?
    package var bundleId: String?
    package var productId: String?
    package var purpose: Purpose?

    package init(paymentId: String, amount: Money? = nil) {
        self.paymentId = paymentId
        milliunits = amount?.milliunits
        currency = amount?.currency.code
    }
}

/// The provider's answer.
package struct ProviderAnswerBody: Codable, Hashable, Sendable {
    package enum Outcome: String, Codable, CaseIterable, Sendable {
        case approved
        case declined
    }

    package let outcome: Outcome
    /// The provider's name for it.
    package let reference: String?
    /// Why it is declined.
    package let reason: String?

    package init(outcome: Outcome, reference: String? = nil, reason: String? = nil) {
        self.outcome = outcome
        self.reference = reference
        self.reason = reason
    }
}
