import StoreKit

public enum PurchaseError: Error, Equatable {
    case cancelled
    case notAllowed
    case unavailable
    case badOffer
    case network
    case other(code: Int)
}

/// Runs a purchase and sorts what it throws.
public func sorted(_ purchase: () throws -> Void) -> PurchaseError? {
    do {
        try purchase()
        return nil
    } catch SKError.paymentCancelled {
        return .cancelled
    } catch SKError.paymentNotAllowed, SKError.clientInvalid {
        return .notAllowed
    } catch let error as SKError {
        return sorted(error.code)
    } catch {
        return .other(code: (error as NSError).code)
    }
}

private func sorted(_ code: SKError.Code) -> PurchaseError {
    switch code {
    case .unknown, .paymentInvalid: return .other(code: code.rawValue)
    case .clientInvalid, .paymentNotAllowed, .unauthorizedRequestData: return .notAllowed
    case .paymentCancelled, .overlayCancelled: return .cancelled
    case .storeProductNotAvailable, .unsupportedPlatform: return .unavailable
    case .cloudServicePermissionDenied, .cloudServiceRevoked, .privacyAcknowledgementRequired:
        return .notAllowed
    case .cloudServiceNetworkConnectionFailed: return .network
    case .invalidOfferIdentifier, .invalidSignature, .missingOfferParams, .invalidOfferPrice,
        .ineligibleForOffer:
        return .badOffer
    case .overlayInvalidConfiguration, .overlayTimeout, .overlayPresentedInBackgroundScene,
        .paymentMethodBindingConfigurationRequired:
        return .other(code: code.rawValue)
    @unknown default: return .other(code: code.rawValue)
    }
}

extension Error {
    /// Whether it is the person who ended a purchase.
    public var isCancellation: Bool {
        if let error = self as? SKError { return error.code == .paymentCancelled }
        let error = self as NSError
        return error.domain == SKErrorDomain && error.code == SKError.Code.paymentCancelled.rawValue
    }
}
