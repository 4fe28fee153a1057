/// The events that change an account's signed data.
extension Event.Kind {
    /// Whether it may change what devices get of its transaction.
    var changesTransaction: Bool {
        switch self {
        case .purchased, .renewed, .shared, .restored, .finished, .revoked, .refundReversed,
            .replaced, .extended, .expired, .appAccountTokenSet, .periodMoved:
            true
        case .declined, .refundRequested, .refundDeclined, .storefrontChanged, .priceConsent,
            .renewalFailed, .gracePeriodEnded, .renewalChanged, .extensionFailed, .priceIncreased,
            .deleted:
            false
        }
    }

    /// Whether it may change a subscription's status or renewal, or the account's eligibility.
    var changesStatus: Bool {
        switch self {
        case .purchased, .renewed, .shared, .revoked, .refundReversed, .replaced, .extended,
            .expired, .appAccountTokenSet, .periodMoved, .storefrontChanged, .priceConsent,
            .renewalFailed, .gracePeriodEnded, .renewalChanged, .priceIncreased, .deleted:
            true
        case .finished, .restored, .declined, .refundRequested, .refundDeclined, .extensionFailed:
            false
        }
    }

    /// Whether it may change how a family member with whom the subscription is shared sees it,
    /// who has no event of their own then.
    var changesSharedStatus: Bool {
        switch self {
        case .purchased, .extended, .expired, .renewalFailed, .gracePeriodEnded, .renewalChanged:
            true
        case .renewed, .shared, .revoked, .refundReversed, .replaced, .appAccountTokenSet,
            .periodMoved, .storefrontChanged, .priceConsent, .priceIncreased, .finished,
            .restored, .deleted, .declined, .refundRequested, .refundDeclined, .extensionFailed:
            false
        }
    }
}
