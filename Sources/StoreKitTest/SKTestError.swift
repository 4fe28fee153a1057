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
public struct SKTestError: Error, Hashable, Sendable {
    /// Apple's numbers for the reasons.
    public enum Code: Int, Hashable, Sendable {
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

    /// The reason.
    public let code: Code
    /// The reason, in a sentence that says what to do.
    private let sentence: String

    /// An error with a sentence of your own.
    ///
    /// - Parameters:
    ///   - code: The reason.
    ///   - userInfo: Its `NSLocalizedDescriptionKey` is the sentence.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.init(code, userInfo[NSLocalizedDescriptionKey] as? String ?? "\(code)")
    }

    init(_ code: Code, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }
}

extension SKTestError {
    /// Whether both have the same code.
    public static func == (one: Self, other: Self) -> Bool { one.code == other.code }

    /// By the code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }
}

extension SKTestError: CustomNSError, LocalizedError, CustomStringConvertible {
    /// `SKTestErrorDomain`.
    public static var errorDomain: String { SKTestErrorDomain }

    /// The number of the code.
    public var errorCode: Int { code.rawValue }

    /// The sentence under `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: sentence] }

    /// The sentence.
    public var errorDescription: String? { sentence }

    /// The sentence.
    public var description: String { sentence }
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

extension SKTestError.Code {
    /// Whether an error has this code, for `catch SKTestError.fileNotFound`.
    public static func ~= (code: Self, error: any Error) -> Bool {
        (error as? SKTestError)?.code == code
    }
}
