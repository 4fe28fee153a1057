/// The question to an account whether it goes on with a subscription at a higher price, and what
/// became of it.
package struct PriceConsent: Hashable, Sendable {
    package enum Answer: String, CaseIterable, Sendable {
        case agreed
        case declined
    }

    package enum State: Hashable, Sendable {
        /// Nobody has answered.
        case pending
        case answered(Answer, at: Timestamp)
        /// What it was about ended, or became another, before anybody answered.
        case withdrawn(at: Timestamp)
    }

    package let number: Int64
    package let account: AccountID
    package let app: AppID
    package let product: ProductID
    /// What the account paid when it was asked, in its storefront.
    package let oldPrice: Money
    /// What it is to pay, in the same currency.
    package let newPrice: Money
    package let askedAt: Timestamp
    package let state: State

    package init(
        number: Int64, account: AccountID, app: AppID, product: ProductID, oldPrice: Money,
        newPrice: Money, askedAt: Timestamp, state: State
    ) {
        self.number = number
        self.account = account
        self.app = app
        self.product = product
        self.oldPrice = oldPrice
        self.newPrice = newPrice
        self.askedAt = askedAt
        self.state = state
    }

    /// Nil while it is pending, and when it was withdrawn.
    package var answer: Answer? {
        guard case .answered(let answer, _) = state else { return nil }
        return answer
    }
}
