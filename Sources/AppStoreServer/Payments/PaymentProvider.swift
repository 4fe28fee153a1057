package import StoreModel
package import StoreRules

/// Who takes the customers' money outside of the store, in two phases: what is authorized before
/// something is sold is captured after that is committed.
///
/// A request that comes twice is done once; so whatever happened to an answer, it is asked for
/// again. Calls block.
package protocol PaymentProvider: Sendable {
    func ask(_ request: ProviderRequest) -> ProviderOutcome

    /// Ends calls that are on their way and takes no more; what they brought about is not known.
    func close()
}

/// What a provider is asked.
package enum ProviderRequest: Hashable, Sendable {
    case authorize(Payment, customer: String, bundleID: String)
    case capture(PaymentID, Money)
    case void(PaymentID)
    case refund(PaymentRefund)

    /// What is asked next of a task; nil when nothing is, or it is asked too late.
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

/// Stands for the provider of a world that was opened without the one it had: nobody answers. What
/// was to be bought is given up in its time, so that nothing waits for ever; what is to be captured,
/// let go of or given back waits for the provider.
struct AbsentProvider: PaymentProvider {
    func ask(_ request: ProviderRequest) -> ProviderOutcome {
        .unknown(why: "the store was started without --payment-gateway")
    }

    func close() {}
}
