package import StoreModel

/// Why a code is not redeemed; the first that holds wins.
package enum OfferCodeRefusal: String, Error, CaseIterable, Sendable {
    case deactivated
    case expired
    /// The account redeemed a code of the same offer before, this one or another.
    case usedBefore
    /// A custom code as often as it may be, a one-time code once, by whomever.
    case usedUp
}

/// What was redeemed before somebody names a code.
package struct OfferCodeUse: Hashable, Sendable {
    /// Redemptions of the custom code, or of the very one-time code: 0 or 1.
    package let count: Int64
    /// Whether the account redeemed a code of the same offer.
    package let hasAccountUsedOffer: Bool

    package init(count: Int64, hasAccountUsedOffer: Bool) {
        self.count = count
        self.hasAccountUsedOffer = hasAccountUsedOffer
    }
}

/// Whether an offer code can be redeemed. Who may have its offer is for
/// `SubscriptionPurchaseRules` to say.
package enum OfferCodeRules {
    /// The most redemptions of a custom code, and the most one-time codes of an app: as many as
    /// Apple allows an app in a quarter.
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

    /// What the owner sees of a code, or a batch of them, that was redeemed so often in all.
    package static func state(
        of code: OfferCode, redemptionCount: Int64, at now: Timestamp
    ) -> OfferCodeState {
        if code.deactivatedAt != nil { return .deactivated }
        if let end = code.expiresAt, now >= end { return .expired }
        return redemptionCount < code.redemptionsMax ? .active : .usedUp
    }

    /// How often the code that somebody types can be redeemed.
    private static func redemptionsMax(ofOne code: OfferCode) -> Int64 {
        switch code.kind {
        case .custom: code.redemptionsMax
        case .oneTime: 1
        }
    }
}
