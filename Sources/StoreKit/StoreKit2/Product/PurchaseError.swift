public import Foundation

extension Product {
    /// Why a product cannot be bought like this.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public enum PurchaseError: Error, Hashable, Sendable {
        /// The quantity is not one that may be bought.
        case invalidQuantity
        /// The product is not for sale.
        case productUnavailable
        /// The account or this device may not buy.
        case purchaseNotAllowed
        /// The customer may not have the offer.
        case ineligibleForOffer
        /// The product does not have the offer.
        case invalidOfferIdentifier
        /// The offer's price is no longer right.
        case invalidOfferPrice
        /// The developer's signature is not that of the offer.
        case invalidOfferSignature
        /// The offer lacks something.
        case missingOfferParameters
        /// The app's own way of paying is not set up.
        @available(iOS 26.5, macOS 26.5, tvOS 26.5, watchOS 26.5, visionOS 26.5, *)
        case paymentMethodBindingConfigurationRequired
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.PurchaseError: LocalizedError {
    /// What went wrong.
    public var errorDescription: String? {
        switch self {
        case .invalidQuantity: "This quantity cannot be bought."
        case .productUnavailable: "The product is not for sale."
        case .purchaseNotAllowed: "The purchase is not allowed."
        case .ineligibleForOffer: "The offer is not for this account."
        case .invalidOfferIdentifier, .invalidOfferPrice, .invalidOfferSignature,
            .missingOfferParameters:
            "The offer is not valid."
        case .paymentMethodBindingConfigurationRequired: "The way of paying is not set up."
        }
    }

    /// Why it did.
    public var failureReason: String? {
        switch self {
        case .invalidQuantity: "The quantity is not one that the store sells at once."
        case .productUnavailable: "The store does not sell it, or not in this country."
        case .purchaseNotAllowed: "The account or this device may not make this purchase."
        case .ineligibleForOffer: "The account does not meet the conditions of the offer."
        case .invalidOfferIdentifier: "The product does not have this offer."
        case .invalidOfferPrice: "The price of the offer is no longer right."
        case .invalidOfferSignature: "The developer's signature is not that of the offer."
        case .missingOfferParameters: "The offer lacks something that it must have."
        case .paymentMethodBindingConfigurationRequired: "The app has not set it up."
        }
    }

    /// What may help.
    public var recoverySuggestion: String? {
        switch self {
        case .invalidQuantity: "Buy from 1 to 10."
        case .productUnavailable: "Get the products from the store again."
        case .purchaseNotAllowed: "Check the restrictions of this device."
        case .ineligibleForOffer: "Buy the product at its price."
        case .invalidOfferIdentifier, .invalidOfferPrice, .invalidOfferSignature,
            .missingOfferParameters:
            "Get the offer again."
        case .paymentMethodBindingConfigurationRequired: "Set it up before buying."
        }
    }
}
