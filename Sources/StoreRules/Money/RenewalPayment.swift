package import StoreModel

/// How a subscription's due payment is made.
package enum RenewalPayment: Hashable, Sendable {
    /// At once. `taking` is the part of a provider's authorized amount that credit does not cover.
    case pays(taking: Money?)
    /// A provider is to be asked for what credit does not cover.
    case asks(Money)
    case fails

    /// Credit pays first; a provider pays the rest once it was asked.
    ///
    /// - Parameters:
    ///   - credit: The account's credit; nil when credit is not counted, and everything is paid.
    ///   - answer: The provider's answer for this payment; nil before it was asked.
    ///   - asksProvider: Whether there is a provider to ask; ignored when credit suffices.
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
            // The credit may have been spent elsewhere since: then the rest is requested as well.
            return means.missing(for: amount) == nil ? .pays(taking: asked) : .asks(asked)
        case nil: return try asksProvider() ? .asks(asked) : .fails
        }
    }
}

/// A provider's answer for the payment that a subscription waited for.
package enum PaymentAnswer: Hashable, Sendable {
    case authorized(Payment)
    case refused
}
