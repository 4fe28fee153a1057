package import StoreModel

/// The offer that a payment asks for, as far as the offer itself goes. Who may have it is for
/// `SubscriptionPurchaseRules` to say.
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

    /// Whether somebody may be asked to approve it first, or the person be interrupted. A code was
    /// given to the person, and a win-back offer is taken outside of the app.
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
