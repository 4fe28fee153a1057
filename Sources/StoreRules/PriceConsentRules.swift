package import StoreModel

/// Why nobody is asked about a price; the first that holds wins.
package enum PriceConsentRefusal: CaseIterable, Sendable {
    /// Only a subscription that renews is charged without somebody buying.
    case notRenewable
    /// Another price of the product waits for an answer.
    case otherPending
    /// A price that stays or falls needs nobody's consent.
    case noIncrease
    case tooManyPending
}

/// What becomes of the wish to ask an account about a price.
package enum PriceConsentDecision: Hashable, Sendable {
    /// It is asked whether it pays `new` in place of `old`.
    case ask(old: Money, new: Money)
    /// The very same waits for an answer already.
    case answerKnown(PriceConsent)
    case refuse(PriceConsentRefusal)
}

/// What becomes of an answer.
package enum PriceConsentReply: Hashable, Sendable {
    case take
    /// The same was answered before.
    case answerKnown
    /// The other answer was given before, and stands.
    case stands(PriceConsent.Answer)
    /// Nobody is asked any more.
    case withdrawn
}

package enum PriceConsentRules {
    /// The most prices that one account may be asked about at once in an app.
    package static let pendingMax = 100

    /// Decides whether an account is asked; `pending` is what it is asked in this app already.
    package static func asking(
        _ newPrice: Price, for product: Product, in storefront: Storefront, at now: Timestamp,
        pending: [PriceConsent]
    ) -> PriceConsentDecision {
        guard product.kind == .autoRenewable else { return .refuse(.notRenewable) }
        let old = PriceRules.price(of: product, in: storefront, at: now)
        let new = newPrice.in(old.currency)
        if let known = pending.first(where: { $0.product == product.id }) {
            return known.newPrice == new ? .answerKnown(known) : .refuse(.otherPending)
        }
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
