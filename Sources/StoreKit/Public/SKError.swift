public import CStoreKit
public import Foundation

/// The domain of StoreKit's errors.
public let SKErrorDomain: String = "SKErrorDomain"

/// Why a request or a purchase failed.
///
/// On Linux an `NSError` is never bridged back to an `SKError`, so StoreKit reports only values of
/// this type, and `catch SKError.paymentCancelled` matches them.
///
/// ```swift
/// func sentence(for error: any Error) -> String? {
///     switch (error as? SKError)?.code {
///     case .paymentCancelled: nil
///     case .paymentNotAllowed: "Purchases are switched off on this device."
///     default: error.localizedDescription
///     }
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/skerror>
public struct SKError: _BridgedStoredNSError {
    /// Apple's numbers for the reasons.
    public typealias Code = SKErrorCode

    /// The error's domain, code and sentence.
    public let _nsError: NSError

    /// The error with this domain, code and sentence.
    public init(_nsError: NSError) {
        self._nsError = _nsError
    }

    /// `SKErrorDomain`, for Foundation.
    public static var _nsErrorDomain: String { SKErrorDomain }

    /// `SKErrorDomain`.
    public static var errorDomain: String { SKErrorDomain }
}

extension SKErrorCode: @retroactive _ErrorCodeProtocol {
    /// The error that has these codes.
    public typealias _ErrorType = SKError
}

extension SKError {
    /// An error with a code and a sentence that gives the reason.
    init(_ code: Code, sentence: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: sentence])
    }
}
