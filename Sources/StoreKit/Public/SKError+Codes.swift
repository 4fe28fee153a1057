public import CStoreKit

// Each code again under its short name, so that `catch SKError.paymentCancelled` reads well.
extension SKError {
    /// An error without a known reason; also used when the store cannot be reached.
    public static var unknown: Code { .unknown }
    /// The client may not do this.
    public static var clientInvalid: Code { .clientInvalid }
    /// The customer cancelled; do not show this to the customer.
    public static var paymentCancelled: Code { .paymentCancelled }
    /// A parameter of the payment was not understood.
    public static var paymentInvalid: Code { .paymentInvalid }
    /// Purchases are not allowed here.
    public static var paymentNotAllowed: Code { .paymentNotAllowed }
    /// The product is not sold in this storefront.
    public static var storeProductNotAvailable: Code { .storeProductNotAvailable }
    /// The customer did not allow access to cloud services.
    public static var cloudServicePermissionDenied: Code { .cloudServicePermissionDenied }
    /// The device could not connect to the network.
    public static var cloudServiceNetworkConnectionFailed: Code {
        .cloudServiceNetworkConnectionFailed
    }
    /// The customer revoked access to a cloud service.
    public static var cloudServiceRevoked: Code { .cloudServiceRevoked }
    /// The customer has yet to acknowledge the privacy policy.
    public static var privacyAcknowledgementRequired: Code { .privacyAcknowledgementRequired }
    /// The app may not use this request data.
    public static var unauthorizedRequestData: Code { .unauthorizedRequestData }
    /// The offer identifier is unknown or not active.
    public static var invalidOfferIdentifier: Code { .invalidOfferIdentifier }
    /// The signature of a payment discount is not valid.
    public static var invalidSignature: Code { .invalidSignature }
    /// A parameter of a payment discount is missing.
    public static var missingOfferParams: Code { .missingOfferParams }
    /// The price of the offer is no longer valid.
    public static var invalidOfferPrice: Code { .invalidOfferPrice }
    /// The customer closed an overlay.
    public static var overlayCancelled: Code { .overlayCancelled }
    /// The configuration of an overlay is not valid.
    public static var overlayInvalidConfiguration: Code { .overlayInvalidConfiguration }
    /// An overlay did not load in time.
    public static var overlayTimeout: Code { .overlayTimeout }
    /// The customer is not eligible for this offer.
    public static var ineligibleForOffer: Code { .ineligibleForOffer }
    /// Not available on this platform.
    public static var unsupportedPlatform: Code { .unsupportedPlatform }
    /// An overlay was shown by a scene in the background.
    public static var overlayPresentedInBackgroundScene: Code { .overlayPresentedInBackgroundScene }
    /// The payment method binding has no configuration.
    public static var paymentMethodBindingConfigurationRequired: Code {
        .paymentMethodBindingConfigurationRequired
    }
}
