package import StoreModel

/// Why a code is not redeemed; the first reason that applies wins.
package enum OfferCodeRefusal: String, Error, CaseIterable, Sendable {
    case deactivated
    case expired
    /// The account has already redeemed this or another code of the same offer.
    case usedBefore
    /// A custom code was redeemed as often as allowed, or a one-time code once, by any account.
    case usedUp
}

/// The redemptions before this one.
package struct OfferCodeUse: Hashable, Sendable {
    /// Redemptions of the custom code, or of the same one-time code: 0 or 1.
    package let count: Int64
    /// Whether the account redeemed a code of the same offer.
    package let hasAccountUsedOffer: Bool

    package init(count: Int64, hasAccountUsedOffer: Bool) {
        self.count = count
        self.hasAccountUsedOffer = hasAccountUsedOffer
    }
}

/// Whether an offer code can be redeemed. `SubscriptionPurchaseRules` decides who is eligible for
/// its offer.
package enum OfferCodeRules {
    /// The most redemptions of a custom code, and the most one-time codes of an app: Apple's limit
    /// for an app per quarter.
    package static let redemptionsMax: Int64 = 1_000_000

    /// Why an account cannot redeem a code; nil when it can.
    package static func refusal(
        of code: OfferCode, _ use: OfferCodeUse, at now: Timestamp
    ) -> OfferCodeRefusal? {
        if code.deactivatedAt != nil { return .deactivated }
        if let end = code.expiresAt, now >= end { return .expired }
        if use.hasAccountUsedOffer { return .usedBefore }
        return use.count < redemptionsMax(ofOne: code) ? nil : .usedUp
    }

    /// The state of a code or a batch, for the owner, given its redemptions in total.
    package static func state(
        of code: OfferCode, redemptionCount: Int64, at now: Timestamp
    ) -> OfferCodeState {
        if code.deactivatedAt != nil { return .deactivated }
        if let end = code.expiresAt, now >= end { return .expired }
        return redemptionCount < code.redemptionsMax ? .active : .usedUp
    }

    /// How often a single code can be redeemed.
    private static func redemptionsMax(ofOne code: OfferCode) -> Int64 {
        switch code.kind {
        case .custom: code.redemptionsMax
        case .oneTime: 1
        }
    }
}
