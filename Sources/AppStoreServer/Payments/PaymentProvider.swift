package import StoreModel
package import StoreRules

/// Takes the customers' money outside the store, in two phases: a payment is authorized before the
/// sale and captured after the sale is committed.
///
/// A repeated request is carried out once, so the store repeats one whose answer was lost. Calls
/// block.
package protocol PaymentProvider: Sendable {
    func ask(_ request: ProviderRequest) -> ProviderOutcome

    /// Ends calls that are on their way and takes no more; their outcome is unknown.
    func close()
}

/// A request to a provider.
package enum ProviderRequest: Hashable, Sendable {
    case authorize(Payment, customer: String, bundleID: String)
    case capture(PaymentID, Money)
    case void(PaymentID)
    case refund(PaymentRefund)

    /// The next request of a task; nil when there is none, or it is too late to ask.
    init?(_ task: ProviderTask) {
        switch task {
        case .refund(let refund, _): self = .refund(refund)
        case .payment(let payment, let customer, let bundleID):
            switch PaymentRules.step(of: payment.state) {
            case .authorization:
                self = .authorize(payment, customer: customer, bundleID: bundleID)
            case .capture: self = .capture(payment.id, payment.captured ?? payment.amount)
            case .void: self = .void(payment.id)
            case nil: return nil
            }
        }
    }
}

/// Stands in for the provider when a world is opened without the one it had, and never answers.
/// Purchases are given up in their time, so that nothing waits for ever; captures, voids and
/// refunds wait for the provider.
struct AbsentProvider: PaymentProvider {
    func ask(_ request: ProviderRequest) -> ProviderOutcome {
        .unknown(why: "the store was started without --payment-gateway")
    }

    func close() {}
}
