package import StoreModel

/// How a due payment of a subscription is made.
package enum RenewalPayment: Hashable, Sendable {
    /// At once. `taking` is what a provider authorized for it and credit lacks.
    case pays(taking: Money?)
    /// A provider is to be asked for what credit lacks.
    case asks(Money)
    case fails

    /// Credit pays first, and a provider what that lacks, once it was asked.
    ///
    /// - Parameters:
    ///   - credit: What the account has; nil when nobody counts that, and all is paid.
    ///   - answer: What its provider said of this payment; nil before it was asked.
    ///   - asksProvider: Whether there is one to be asked; not looked at when credit pays.
    package static func of(
        _ amount: Money, credit: Money?, answer: PaymentAnswer?,
        asksProvider: @autoclosure () throws -> Bool
    ) rethrows -> RenewalPayment {
        guard let credit, let missing = PurchaseMeans(credit: credit).missing(for: amount) else {
            return .pays(taking: nil)
        }
        let asked = PaymentRules.asked(missing)
        switch answer {
        case .refused: return .fails
        case .authorized(let payment):
            let means = PurchaseMeans(credit: credit, authorized: payment.amount)
            // Credit that counted may have gone elsewhere: then the rest is asked for as well.
            return means.missing(for: amount) == nil ? .pays(taking: asked) : .asks(asked)
        case nil: return try asksProvider() ? .asks(asked) : .fails
        }
    }
}

/// What a provider said of the payment that a subscription waited for.
package enum PaymentAnswer: Hashable, Sendable {
    case authorized(Payment)
    case refused
}
