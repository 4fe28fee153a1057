/// What a transaction of an auto-renewable subscription paid for beside its product.
package struct SubscribedPeriod: Hashable, Sendable {
    /// An offer that the period had.
    package struct Offer: Hashable, Sendable {
        package let kind: SubscriptionOffer.Kind
        /// As in `SubscriptionOffer.id`.
        package let id: String?
        package let mode: SubscriptionOffer.PaymentMode

        package init(
            kind: SubscriptionOffer.Kind, id: String?, mode: SubscriptionOffer.PaymentMode
        ) {
            self.kind = kind
            self.id = id
            self.mode = mode
        }
    }

    package let group: String
    /// When it ends; the store's owner may move it later.
    package let expiresAt: Timestamp
    package let offer: Offer?
    /// Whether it came about by itself rather than by hand.
    package let isRenewal: Bool
    /// When another product took its place before its end.
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

    /// Whether receipts say that it is of a free trial.
    package var isTrial: Bool { offer?.kind == .introductory && offer?.mode == .freeTrial }

    /// Whether receipts say that it has an introductory price; a free trial is none.
    package var isIntroductory: Bool { offer?.kind == .introductory && offer?.mode != .freeTrial }

    /// The identifier that receipts give of a promotional or win-back offer.
    package var promotionalOfferID: String? {
        switch offer?.kind {
        case .promotional, .winBack: offer?.id
        case .introductory, .code, nil: nil
        }
    }
}
