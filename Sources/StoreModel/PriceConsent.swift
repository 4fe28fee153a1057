/// The question to an account whether it continues a subscription at a higher price, and its
/// outcome.
package struct PriceConsent: Hashable, Sendable {
    package enum Answer: String, CaseIterable, Sendable {
        case agreed
        case declined
    }

    package enum State: Hashable, Sendable {
        case pending
        case answered(Answer, at: Timestamp)
        /// The subscription ended or changed its product before an answer came.
        case withdrawn(at: Timestamp)
    }

    package let number: Int64
    package let account: AccountID
    package let app: AppID
    package let product: ProductID
    /// What the account paid when it was asked, in its storefront.
    package let oldPrice: Money
    /// What it would pay, in the same currency.
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

    /// Nil while the question is pending, and once it is withdrawn.
    package var answer: Answer? {
        guard case .answered(let answer, _) = state else { return nil }
        return answer
    }
}
