package import StoreModel

/// The offer that a payment asks for, considering only the offer itself.
/// `SubscriptionPurchaseRules` decides who is eligible.
package enum AskedOffer: Hashable, Sendable {
    case none
    case sound(SubscriptionOffer)
    case refused(RefusalCode)

    package var offer: SubscriptionOffer? {
        guard case .sound(let offer) = self else { return nil }
        return offer
    }

    var refusal: RefusalCode? {
        guard case .refused(let reason) = self else { return nil }
        return reason
    }

    /// Whether the purchase may wait for approval or be interrupted first. A code was given to the
    /// customer, and a win-back offer is taken outside the app.
    var mayWait: Bool {
        switch offer?.kind {
        case .introductory, .promotional, nil: true
        case .code, .winBack: false
        }
    }
}

extension RefusalCode {
    package init(_ refusal: OfferRefusal) {
        self =
            switch refusal {
            case .missingOfferParameters: .missingOfferParameters
            case .invalidOfferIdentifier: .invalidOfferIdentifier
            case .invalidSignature: .invalidOfferSignature
            case .invalidOfferPrice: .invalidOfferPrice
            }
    }

    package init(_ refusal: OfferCodeRefusal) {
        self =
            switch refusal {
            case .deactivated: .offerCodeDeactivated
            case .expired: .offerCodeExpired
            case .usedBefore: .offerCodeUsedBefore
            case .usedUp: .offerCodeUsedUp
            }
    }
}
