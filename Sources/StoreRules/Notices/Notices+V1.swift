package import StoreModel

extension Notices {
    /// The notifications of version 1 in an environment. The sandbox sends fewer. Assumed: none about
    /// a family member's copy, since *in_app_ownership_type* is always `PURCHASED` there.
    package static func v1(
        of happening: Happening, in environment: StoreEnvironment
    ) -> [NoticeV1] {
        let all = v1(of: happening)
        return switch environment {
        case .production: all
        case .sandbox: happening.isOfShare ? [] : all.filter(\.isSentInSandbox)
        }
    }

    /// The notifications of version 1, which knows no more of one-time purchases than their
    /// refunds. Source: Apple, *notification_type*.
    package static func v1(of happening: Happening) -> [NoticeV1] {
        switch happening {
        case .subscribed(let period): beganV1(period)
        case .renewed(let period): [renewedV1(period)]
        case .renewalFailed: [.didFailToRenew]
        // Retries that end turn renewal off. Assumed: so does any other end.
        case .expired(_, let change): statusV1(change)
        case .renewalChanged(let change): changedV1(change)
        case .priceIncreased(let change):
            change.after.increase?.consent == .pending ? [.priceIncreaseConsent] : []
        case .refundRequested: [.consumptionRequest]
        case .refunded(_, .some, _): []
        case .refunded(.autoRenewable, nil, let ended):
            [.cancel] + (ended.map { statusV1($0) } ?? [])
        case .refunded: [.refund]
        // A first access would be `INITIAL_BUY`, which is only for purchasers.
        case .shared(_, .nextPeriod(let period?)):
            beganV1(period).filter { $0.audience != .purchaser }
        case .sharedRenewal(let period): [renewedV1(period)]
        case .shareEnded: [.revoke]
        case .bought, .declined, .finished, .restored, .deleted, .appAccountTokenSet, .replaced,
            .periodMoved, .storefrontChanged, .gracePeriodEnded, .extended, .extensionFailed,
            .priceAsked, .priceAnswered, .priceQuestionWithdrawn,
            .refundDeclined, .refundReversed, .shared:
            []
        }
    }

    /// A period was bought by hand. Assumed for one that is bought while a payment is owed: it is
    /// an interactive renewal, and renewal is turned on only if it was off.
    private static func beganV1(_ period: SubscriptionTransition) -> [NoticeV1] {
        guard let before = period.before else { return [.initialBuy] }
        switch before.phase {
        case .active: return [.didChangeRenewalStatus, .interactiveRenewal]
        case .gracePeriod, .billingRetry: return [.interactiveRenewal] + statusV1(period)
        case .expired, .revoked:
            let isSame = before.product == period.after.product
            return isSame
                ? [.didChangeRenewalStatus] : [.interactiveRenewal, .didChangeRenewalStatus]
        }
    }

    private static func renewedV1(_ period: SubscriptionTransition?) -> NoticeV1 {
        period?.isRecovery == true ? .didRecover : .didRenew
    }

    private static func statusV1(_ change: SubscriptionTransition) -> [NoticeV1] {
        change.turnedRenewal == nil ? [] : [.didChangeRenewalStatus]
    }

    /// Assumed: going back to the current product is a change of preference, and an offer for it is
    /// not.
    private static func changedV1(_ change: SubscriptionTransition) -> [NoticeV1] {
        let isOther = change.before?.nextProduct != change.after.nextProduct
        return statusV1(change) + (isOther ? [.didChangeRenewalPref] : [])
            + (change.asksAgain ? [.priceIncreaseConsent] : [])
    }
}

extension Happening {
    /// Whether it is of a family member's copy.
    fileprivate var isOfShare: Bool {
        switch self {
        case .shared, .sharedRenewal, .shareEnded: true
        default: false
        }
    }
}
