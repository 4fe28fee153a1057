import CStoreKit
import Foundation
import StoreModel
import StoreWire

/// Why a payment failed, in a form that the journal can store.
struct FailureReason: Codable, Hashable, Sendable {
    /// The number of an `SKError.Code`.
    let code: Int
    let sentence: String
    /// The underlying system error; nil when there is none.
    let errorNumber: Int32?
    /// Whether the store could not be reached; nil stands for no.
    var isUnreachable: Bool?

    init(_ code: SKError.Code, _ sentence: String, errorNumber: Int32? = nil) {
        self.code = code.rawValue
        self.sentence = sentence
        self.errorNumber = errorNumber
    }

    /// The store could not be reached, before anything was bought.
    static func unreachable(_ sentence: String) -> FailureReason {
        var reason = FailureReason(.unknown, sentence)
        reason.isUnreachable = true
        return reason
    }

    /// The store wants something settled first; the purchase may then come by itself.
    static let interrupted = FailureReason(
        .unknown,
        "The purchase was interrupted: something must be settled with the store first.")

    /// Maps a store's refusal to an app's error.
    init(_ refusal: RefusalBody) {
        let code: SKError.Code =
            switch refusal.code {
            case .quantityNotAllowed: .paymentInvalid
            case .productUnknown, .productNotForSale, .kindNotSold: .storeProductNotAvailable
            case .productionClosed, .receiptFull, .tooManyWaiting: .paymentNotAllowed
            case .priceChanged, .alreadySubscribed: .unknown
            case .missingOfferParameters: .missingOfferParams
            case .invalidOfferIdentifier: .invalidOfferIdentifier
            case .invalidOfferSignature: .invalidSignature
            case .invalidOfferPrice: .invalidOfferPrice
            case .offerNotEligible, .offerCodeUsedBefore: .ineligibleForOffer
            case .offerCodeDeactivated, .offerCodeExpired, .offerCodeUsedUp:
                .invalidOfferIdentifier
            // The device's own sheet tells the customer what is wrong with the payment; the app
            // only learns that it did not go through.
            case .declined, .insufficientCredit, .paymentDeclined, .paymentUnavailable:
                .paymentCancelled
            }
        self.init(code, refusal.message)
    }

    var error: SKError {
        let code = SKError.Code(rawValue: code) ?? .unknown
        guard let errorNumber else { return SKError(code, sentence: sentence) }
        return SKError(
            code,
            userInfo: [
                NSLocalizedDescriptionKey: sentence,
                NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(errorNumber)),
            ])
    }
}
