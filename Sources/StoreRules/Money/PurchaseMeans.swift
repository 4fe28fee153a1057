package import StoreModel

/// The means of an account to pay for a purchase.
package struct PurchaseMeans: Hashable, Sendable {
    /// In the currency of its storefront.
    package let credit: Money
    /// The most that the current period of the subscription can still give back, if this purchase
    /// ends it; nil when it was not paid.
    package let refundable: Money?
    /// Whether a payment provider is still to capture part of that.
    package let isBeingCaptured: Bool
    /// Whether a payment provider may be asked for the missing amount.
    package let asksProvider: Bool
    /// The amount that the provider authorized; nil before it was asked.
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

    /// The amount still missing; nil when it is covered. A refund in the same commit and the
    /// provider's authorized amount count as well. Money in another currency does not count.
    package func missing(for amount: Money, givenBack: Money? = nil) -> Money? {
        let missing = missingCredit(for: amount, givenBack: givenBack)
        guard let missing, let authorized, authorized.currency == missing.currency else {
            return missing
        }
        return missing.subtracting(authorized).flatMap { $0.milliunits > 0 ? $0 : nil }
    }

    /// The same, not counting the provider's authorized amount: the part of it to capture.
    package func missingCredit(for amount: Money, givenBack: Money? = nil) -> Money? {
        let nothing = Money.nothing(in: amount.currency)
        var means = credit.currency == amount.currency ? credit : nothing
        if let refundable, let givenBack, refundable.currency == givenBack.currency,
            givenBack.currency == amount.currency
        {
            let back = min(refundable.milliunits, givenBack.milliunits)
            // Only a sum above 64 bits overflows, and that covers any amount.
            guard let sum = means.adding(Money(milliunits: back, currency: amount.currency)) else {
                return nil
            }
            means = sum
        }
        guard let missing = amount.subtracting(means), missing.milliunits > 0 else { return nil }
        return missing
    }
}
