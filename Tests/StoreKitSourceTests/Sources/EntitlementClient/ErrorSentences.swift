import StoreKit

/// Sentences for errors of buying, every case by name.
public enum ErrorSentences {
    public static func sentence(for error: Error) -> String {
        if let error = error as? StoreKitError { return sentence(for: error) }
        if let error = error as? Product.PurchaseError { return sentence(for: error) }
        if let error = error as? VerificationResult<Transaction>.VerificationError {
            return sentence(for: error)
        }
        return error.localizedDescription
    }

    public static func sentence(for error: StoreKitError) -> String {
        switch error {
        case .unknown: return "Something went wrong."
        case .userCancelled: return ""
        case .networkError(let error): return "Offline: \(error.code.rawValue)."
        case .systemError(let error): return "The device: \(error)."
        case .notAvailableInStorefront: return "Not sold in your country."
        case .notEntitled: return "Not for this app."
        case .unsupported: return "Not on this device."
        @unknown default: return "Something new went wrong."
        }
    }

    public static func sentence(for error: Product.PurchaseError) -> String {
        switch error {
        case .invalidQuantity: return "Too many."
        case .productUnavailable: return "Sold out."
        case .purchaseNotAllowed: return "Not allowed."
        case .ineligibleForOffer: return "Not for you."
        case .invalidOfferIdentifier, .invalidOfferPrice, .invalidOfferSignature,
            .missingOfferParameters, .paymentMethodBindingConfigurationRequired:
            return "The offer is over."
        @unknown default: return error.failureReason ?? ""
        }
    }

    public static func sentence(
        for error: VerificationResult<Transaction>.VerificationError
    ) -> String {
        switch error {
        case .revokedCertificate, .invalidCertificateChain: return "Not from the store."
        case .invalidDeviceVerification: return "Not for this device."
        case .invalidEncoding, .missingRequiredProperties: return "Unreadable."
        case .invalidSignature: return "Changed on the way."
        @unknown default: return error.localizedDescription
        }
    }
}
