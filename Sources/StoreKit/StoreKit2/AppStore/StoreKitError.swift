public import Foundation

/// Why the store did not do what it was asked.
///
/// ```swift
/// func isWorthAnotherTry(_ error: any Error) -> Bool {
///     if case StoreKitError.networkError = error { true } else { false }
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/storekiterror>
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
public enum StoreKitError: Error, Sendable {
    /// Nothing more is known.
    case unknown
    /// The customer did not want to.
    case userCancelled
    /// The store could not be reached.
    case networkError(URLError)
    /// The device could not do its part.
    case systemError(any Error)
    /// The product is not sold in the account's country.
    case notAvailableInStorefront
    /// The app may not do this.
    @available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
    case notEntitled
    /// This device cannot do it.
    @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    case unsupported
}

@available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
extension StoreKitError: LocalizedError {
    /// What went wrong.
    public var errorDescription: String? {
        switch self {
        case .unknown: "The store could not complete the request."
        case .userCancelled: "The request was cancelled."
        case .networkError: "The store could not be reached."
        case .systemError: "The device could not complete the request."
        case .notAvailableInStorefront: "The product is not sold in this country."
        case .notEntitled: "The app may not do this."
        case .unsupported: "This device does not support the request."
        }
    }

    /// Why it did.
    public var failureReason: String? {
        switch self {
        case .unknown: "The reason is not known."
        case .userCancelled: "The customer cancelled it."
        case .networkError(let error): error.localizedDescription
        case .systemError(let error): error.localizedDescription
        case .notAvailableInStorefront: "The account buys in a country where it is not sold."
        case .notEntitled: "The app lacks an entitlement."
        case .unsupported: "What was asked for needs another device or system."
        }
    }

    /// What may help.
    public var recoverySuggestion: String? {
        switch self {
        case .unknown, .systemError: "Try again later."
        case .userCancelled: "Ask again when the customer wants to."
        case .networkError: "Check the connection and try again."
        case .notAvailableInStorefront: "Offer another product."
        case .notEntitled: "Add the entitlement to the app."
        case .unsupported: "Offer it on other devices only."
        }
    }
}
