/// The paid period of a transaction of an auto-renewable subscription.
package struct SubscribedPeriod: Hashable, Sendable {
    /// An offer of the period.
    package struct Offer: Hashable, Sendable {
        package let kind: SubscriptionOffer.Kind
        /// As in `SubscriptionOffer.id`.
        package let id: String?
        package let mode: SubscriptionOffer.PaymentMode
        /// As in `SubscriptionOffer.duration`; nil for a sale that did not record it.
        package let duration: CalendarSpan?

        package init(
            kind: SubscriptionOffer.Kind, id: String?, mode: SubscriptionOffer.PaymentMode,
            duration: CalendarSpan?
        ) {
            self.kind = kind
            self.id = id
            self.mode = mode
            self.duration = duration
        }
    }

    package let group: String
    /// When it ends; the store's owner may move it later.
    package let expiresAt: Timestamp
    package let offer: Offer?
    /// Whether it was renewed automatically rather than bought by hand.
    package let isRenewal: Bool
    /// When another product replaced it before its end.
    package let upgradedAt: Timestamp?

    package init(
        group: String, expiresAt: Timestamp, offer: Offer?, isRenewal: Bool,
        upgradedAt: Timestamp? = nil
    ) {
        self.group = group
        self.expiresAt = expiresAt
        self.offer = offer
        self.isRenewal = isRenewal
        self.upgradedAt = upgradedAt
    }

    /// Whether receipts mark it as a free trial.
    package var isTrial: Bool { offer?.kind == .introductory && offer?.mode == .freeTrial }

    /// Whether receipts mark it as having an introductory price; a free trial does not count.
    package var isIntroductory: Bool { offer?.kind == .introductory && offer?.mode != .freeTrial }

    /// The identifier of a promotional or win-back offer in receipts.
    package var promotionalOfferID: String? {
        switch offer?.kind {
        case .promotional, .winBack: offer?.id
        case .introductory, .code, nil: nil
        }
    }
}

extension SubscribedPeriod.Offer {
    package init(_ offer: Subscription.OfferInUse) {
        self.init(kind: offer.kind, id: offer.id, mode: offer.mode, duration: offer.duration)
    }
}
