package import StoreModel

/// Why an account is not asked about a price; the first that applies wins.
package enum PriceConsentRefusal: CaseIterable, Sendable {
    /// Only an auto-renewable subscription is charged without a purchase.
    case notRenewable
    /// A question about another price of the product waits for an answer.
    case otherPending
    /// The account has a subscription to the product, whose own price increase asks it: an answer
    /// to anything else would not count.
    case subscribed
    /// A price that does not rise needs no consent.
    case noIncrease
    case tooManyPending
}

/// The decision on a request to ask an account about a price.
package enum PriceConsentDecision: Hashable, Sendable {
    /// The account is asked whether it pays `new` instead of `old`.
    case ask(old: Money, new: Money)
    /// The same question already waits for an answer.
    case answerKnown(PriceConsent)
    case refuse(PriceConsentRefusal)
}

/// The decision on an answer.
package enum PriceConsentReply: Hashable, Sendable {
    case take
    /// The same answer was given before.
    case answerKnown
    /// The other answer was given before and stands.
    case stands(PriceConsent.Answer)
    /// The question was withdrawn.
    case withdrawn
}

package enum PriceConsentRules {
    /// The most questions that may wait for one account in an app.
    package static let pendingMax = 100

    /// Decides whether an account is asked; `pending` holds its unanswered questions in this app,
    /// `isSubscribed` says whether it has a subscription to the product that may renew.
    package static func asking(
        _ newPrice: Price, for product: Product, in storefront: Storefront, at now: Timestamp,
        pending: [PriceConsent], isSubscribed: Bool
    ) -> PriceConsentDecision {
        guard product.kind == .autoRenewable else { return .refuse(.notRenewable) }
        let old = PriceRules.price(of: product, in: storefront, at: now)
        let new = newPrice.in(old.currency)
        if let known = pending.first(where: { $0.product == product.id }) {
            return known.newPrice == new ? .answerKnown(known) : .refuse(.otherPending)
        }
        if isSubscribed { return .refuse(.subscribed) }
        guard new.milliunits > old.milliunits else { return .refuse(.noIncrease) }
        guard pending.count < pendingMax else { return .refuse(.tooManyPending) }
        return .ask(old: old, new: new)
    }

    /// Decides an answer: the first one stands.
    package static func answering(
        _ consent: PriceConsent, with answer: PriceConsent.Answer
    ) -> PriceConsentReply {
        switch (consent.state, answer) {
        case (.pending, _): .take
        case (.answered(.agreed, _), .agreed), (.answered(.declined, _), .declined): .answerKnown
        case (.answered(.agreed, _), .declined): .stands(.agreed)
        case (.answered(.declined, _), .agreed): .stands(.declined)
        case (.withdrawn, _): .withdrawn
        }
    }
}
