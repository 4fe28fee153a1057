public import Foundation

/// The domain of StoreKitTest's errors.
public let SKTestErrorDomain: String = "SKTestErrorDomain"

/// Why a test session did not do what it was asked.
///
/// ```swift
/// func refund(_ transaction: SKTestTransaction, in session: SKTestSession) throws {
///     do {
///         try session.refundTransaction(identifier: transaction.identifier)
///     } catch SKTestError.noTransactionFound {
///         print("It is gone.")
///     }
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekittest/sktesterror>
public struct SKTestError: _BridgedStoredNSError {
    /// Apple's numbers for the reasons.
    public enum Code: Int, Sendable, _ErrorCodeProtocol {
        /// The error that has these codes.
        public typealias _ErrorType = SKTestError

        /// The store cannot do it, or is gone.
        case serviceUnavailable
        /// The configuration file has no product of that name.
        case invalidProductIdentifier
        /// The product is not of a kind that this is possible with.
        case invalidProductType
        /// The address is not that of a configuration file that can be read.
        case invalidURL
        /// There is no such file.
        case fileNotFound
        /// The account has no such subscription.
        case noSubscriptionFound
        /// The account has no such transaction.
        case noTransactionFound
        /// The state of the transaction or the subscription does not allow it.
        case invalidAction
    }

    /// The error's domain, code and sentence.
    public let _nsError: NSError

    /// The error with this domain, code and sentence.
    public init(_nsError: NSError) {
        self._nsError = _nsError
    }

    /// `SKTestErrorDomain`, for Foundation.
    public static var _nsErrorDomain: String { SKTestErrorDomain }

    /// `SKTestErrorDomain`.
    public static var errorDomain: String { SKTestErrorDomain }
}

extension SKTestError: CustomStringConvertible {
    init(_ code: Code, _ sentence: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: sentence])
    }

    /// The sentence.
    public var description: String { localizedDescription }
}

// Each code again under its short name, so that `catch SKTestError.fileNotFound` reads well.
extension SKTestError {
    /// The store cannot do it, or is gone.
    public static var serviceUnavailable: Code { .serviceUnavailable }
    /// The configuration file has no product of that name.
    public static var invalidProductIdentifier: Code { .invalidProductIdentifier }
    /// The product is not of a kind that this is possible with.
    public static var invalidProductType: Code { .invalidProductType }
    /// The address is not that of a configuration file that can be read.
    public static var invalidURL: Code { .invalidURL }
    /// There is no such file.
    public static var fileNotFound: Code { .fileNotFound }
    /// The account has no such subscription.
    public static var noSubscriptionFound: Code { .noSubscriptionFound }
    /// The account has no such transaction.
    public static var noTransactionFound: Code { .noTransactionFound }
    /// The state of the transaction or the subscription does not allow it.
    public static var invalidAction: Code { .invalidAction }
}
