package import StoreModel

/// What an account has to pay a purchase with.
package struct PurchaseMeans: Hashable, Sendable {
    /// In the currency of its storefront.
    package let credit: Money
    /// The most that the present period of the subscription can still give back, when it ends for
    /// what is bought; nil when none was paid for.
    package let refundable: Money?

    package init(credit: Money, refundable: Money? = nil) {
        self.credit = credit
        self.refundable = refundable
    }

    /// What is lacking for an amount; nil when it is paid. What is given back in the same commit
    /// pays along. Money of another currency pays nothing.
    package func missing(for amount: Money, givenBack: Money? = nil) -> Money? {
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
