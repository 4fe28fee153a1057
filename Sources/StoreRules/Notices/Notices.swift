package import StoreModel

/// The notifications that an app's server gets of what happened, in the order in which they are
/// sent.
///
/// Most happenings cause one. Some are not reported: what only concerns devices, such as a finished
/// transaction, and what changed nothing.
package enum Notices {
    /// The notifications of version 2. Source: Apple, *notificationType* and *subtype*.
    package static func v2(of happening: Happening) -> [NoticeV2] {
        switch happening {
        case .bought(_, let owned):
            // Assumed: a product that is owned and bought again is not a charge.
            owned == nil ? [NoticeV2(.oneTimeCharge)] : []
        case .subscribed(let period): [began(period, offer: period.after.offer)]
        case .renewed(let period): [renewed(period)]
        case .renewalFailed(let change):
            [NoticeV2(.didFailToRenew, change.after.phase.graceUntil.map { _ in .gracePeriod })]
        case .gracePeriodEnded: [NoticeV2(.gracePeriodExpired)]
        case .expired(let reason, _): [NoticeV2(.expired, subtype(of: reason))]
        case .renewalChanged(let change): changed(change)
        case .extended: [NoticeV2(.renewalExtended)]
        case .extensionFailed: [NoticeV2(.renewalExtension, .failure)]
        case .priceIncreased(let change): priced(change)
        case .priceAnswered(_, .agreed, .some): [NoticeV2(.priceIncrease, .accepted)]
        // A customer who declines turns renewal off, and that is reported.
        case .priceAnswered: []
        case .refundRequested: [NoticeV2(.consumptionRequest)]
        case .refunded(_, let purchase, _): purchase == nil ? [NoticeV2(.refund)] : []
        case .refundDeclined: [NoticeV2(.refundDeclined)]
        case .refundReversed(let purchase): purchase == nil ? [NoticeV2(.refundReversed)] : []
        case .shared(let kind, let access): [shared(kind, access)]
        case .sharedRenewal(let period): [renewed(period)]
        case .shareEnded: [NoticeV2(.revoke)]
        case .declined, .finished, .restored, .deleted, .appAccountTokenSet, .replaced,
            .periodMoved,
            .storefrontChanged, .priceAsked, .priceQuestionWithdrawn:
            []
        }
    }

    /// All subscribers of a product were extended, as the app's server requested: the one
    /// notification that is not about an account.
    package static let extensionsEnded = NoticeV2(.renewalExtension, .summary)

    /// A period was bought by hand. One that is bought while a payment is owed is assumed to be
    /// reported as if the subscription had ended.
    ///
    /// An offer that the customer redeemed is reported only with a subscription that is active; an
    /// introductory one is automatic.
    private static func began(
        _ period: SubscriptionTransition, offer: Subscription.OfferInUse?
    ) -> NoticeV2 {
        guard let before = period.before else { return NoticeV2(.subscribed, .initialBuy) }
        guard before.phase == .active else { return NoticeV2(.subscribed, .resubscribe) }
        return NoticeV2(
            offer?.kind.isRedeemed == true ? .offerRedeemed : .didChangeRenewalPref, .upgrade)
    }

    private static func renewed(_ period: SubscriptionTransition?) -> NoticeV2 {
        NoticeV2(.didRenew, period?.isRecovery == true ? .billingRecovery : nil)
    }

    private static func subtype(of reason: ExpirationReason) -> NoticeV2.Subtype? {
        switch reason {
        case .voluntary: .voluntary
        case .billingError: .billingRetry
        case .noPriceConsent: .priceIncrease
        case .productUnavailable: .productNotForSale
        case .other: nil
        }
    }

    /// Assumed: a choice that also turns renewal on is two notifications, and a price about which
    /// the customer is asked again is reported again. Whatever begins at the renewal counts as a
    /// downgrade, also a higher level that was chosen in the settings.
    private static func changed(_ change: SubscriptionTransition) -> [NoticeV2] {
        var notices: [NoticeV2] = []
        if let isOn = change.turnedRenewal {
            notices.append(
                NoticeV2(.didChangeRenewalStatus, isOn ? .autoRenewEnabled : .autoRenewDisabled))
        }
        switch change.choice {
        case .offer(_, let product):
            notices.append(NoticeV2(.offerRedeemed, product.map { _ in .downgrade }))
        case .other: notices.append(NoticeV2(.didChangeRenewalPref, .downgrade))
        case .current: notices.append(NoticeV2(.didChangeRenewalPref))
        case nil: break
        }
        if change.asksAgain { notices.append(NoticeV2(.priceIncrease, .pending)) }
        return notices
    }

    /// A price that needs no consent counts as accepted.
    private static func priced(_ change: SubscriptionTransition) -> [NoticeV2] {
        guard let increase = change.after.increase else { return [] }
        return [NoticeV2(.priceIncrease, increase.isAgreed ? .accepted : .pending)]
    }

    /// What a family member gets is reported as their own purchase, without the owner's offers.
    private static func shared(_ kind: ProductKind, _ access: SharedAccess) -> NoticeV2 {
        guard kind == .autoRenewable else { return NoticeV2(.oneTimeCharge) }
        return switch access {
        case .first: NoticeV2(.subscribed, .initialBuy)
        case .nextPeriod(let period?): began(period, offer: nil)
        case .regained, .nextPeriod(nil): NoticeV2(.subscribed, .resubscribe)
        }
    }
}
