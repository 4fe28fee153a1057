package import StoreModel

/// What an account has to pay a purchase with.
package struct PurchaseMeans: Hashable, Sendable {
    /// In the currency of its storefront.
    package let credit: Money
    /// The most that the present period of the subscription can still give back, when it ends for
    /// what is bought; nil when none was paid for.
    package let refundable: Money?
    /// Whether a payment provider is still to capture some of that.
    package let isBeingCaptured: Bool
    /// Whether a payment provider may be asked for what is lacking.
    package let asksProvider: Bool
    /// What the provider authorized for it; nil before it was asked.
    package let authorized: Money?

    package init(
        credit: Money, refundable: Money? = nil, isBeingCaptured: Bool = false,
        asksProvider: Bool = false, authorized: Money? = nil
    ) {
        self.credit = credit
        self.refundable = refundable
        self.isBeingCaptured = isBeingCaptured
        self.asksProvider = asksProvider
        self.authorized = authorized
    }

    /// What is lacking for an amount; nil when it is paid. What is given back in the same commit
    /// and what a provider authorized pay along. Money of another currency pays nothing.
    package func missing(for amount: Money, givenBack: Money? = nil) -> Money? {
        let missing = missingCredit(for: amount, givenBack: givenBack)
        guard let missing, let authorized, authorized.currency == missing.currency else {
            return missing
        }
        return missing.subtracting(authorized).flatMap { $0.milliunits > 0 ? $0 : nil }
    }

    /// The same without what a provider authorized: what of that is taken.
    package func missingCredit(for amount: Money, givenBack: Money? = nil) -> Money? {
        let nothing = Money.nothing(in: amount.currency)
        var means = credit.currency == amount.currency ? credit : nothing
        if let refundable, let givenBack, refundable.currency == givenBack.currency,
            givenBack.currency == amount.currency
        {
            let back = min(refundable.milliunits, givenBack.milliunits)
            // Only more than 64 bits hold leaves no sum, and that pays anything.
            guard let sum = means.adding(Money(milliunits: back, currency: amount.currency)) else {
                return nil
            }
            means = sum
        }
        guard let missing = amount.subtracting(means), missing.milliunits > 0 else { return nil }
        return missing
    }
}
