package import StoreModel

/// The amount and state of a gift code. Its times are by the world's clock.
package struct GiftCodeTerm: Hashable, Sendable {
    package let amount: Money
    /// Nil for one that never expires.
    package let expiresAt: Timestamp?
    package let voidedAt: Timestamp?
    /// The account that redeemed it, which is final.
    package let redeemedBy: AccountID?

    package init(
        amount: Money, expiresAt: Timestamp?, voidedAt: Timestamp?, redeemedBy: AccountID?
    ) {
        self.amount = amount
        self.expiresAt = expiresAt
        self.voidedAt = voidedAt
        self.redeemedBy = redeemedBy
    }
}

/// Why a gift code is not redeemed. Ordered: the first reason that applies is given.
package enum GiftCodeRefusal: Hashable, Sendable {
    /// Another account redeemed it.
    case redeemed
    case voided
    case expired
    case credit(CreditRefusal)
}

package enum GiftCodeDecision: Hashable, Sendable {
    /// The account redeemed it before: answer with the amount.
    case answerKnown
    case refuse(GiftCodeRefusal)
    case redeem
}

package enum GiftCodeRules {
    package static func state(of term: GiftCodeTerm, now: Timestamp) -> GiftCodeState {
        if term.redeemedBy != nil { return .redeemed }
        if term.voidedAt != nil { return .voided }
        return term.expiresAt.map { now >= $0 } ?? false ? .expired : .open
    }

    /// Whether an account may redeem a code now; `credit` is its balance in the code's currency.
    package static func redeeming(
        _ term: GiftCodeTerm, by account: AccountID, in storefront: Storefront, credit: Money,
        now: Timestamp
    ) -> GiftCodeDecision {
        if term.redeemedBy == account { return .answerKnown }
        switch state(of: term, now: now) {
        case .redeemed: return .refuse(.redeemed)
        case .voided: return .refuse(.voided)
        case .expired: return .refuse(.expired)
        case .open: break
        }
        return CreditRules.refusal(toGive: term.amount, in: storefront, credit: credit)
            .map { .refuse(.credit($0)) } ?? .redeem
    }
}
