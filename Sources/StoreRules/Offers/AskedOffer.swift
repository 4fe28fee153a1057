package import StoreModel

/// The offer that a payment asks for, considering only the offer itself.
/// `SubscriptionPurchaseRules` decides who is eligible.
package enum AskedOffer: Hashable, Sendable {
    case none
    case sound(SubscriptionOffer)
    /// A win-back offer of an app's own payment, which may wait like any other.
    case winBackInApp(SubscriptionOffer)
    case refused(RefusalCode)

    package var offer: SubscriptionOffer? {
        switch self {
        case .sound(let offer), .winBackInApp(let offer): offer
        case .none, .refused: nil
        }
    }

    var refusal: RefusalCode? {
        guard case .refused(let reason) = self else { return nil }
        return reason
    }

    /// Whether the purchase may wait for approval or be interrupted first. A code was given to the
    /// customer, and a win-back offer is otherwise taken outside the app.
    var mayWait: Bool {
        switch self {
        case .sound(let offer): offer.kind != .code && offer.kind != .winBack
        case .none, .refused, .winBackInApp: true
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
