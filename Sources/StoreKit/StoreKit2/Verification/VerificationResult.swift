/// A value that the store signed, and whether its signature was found good on this device.
///
/// ```swift
/// func delivered(_ result: VerificationResult<Transaction>) -> String? {
///     switch result {
///     case .verified(let transaction): transaction.productID
///     case .unverified: nil
///     }
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/verificationresult>
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
@frozen public enum VerificationResult<SignedType> {
    /// The value failed the verification, for this reason.
    case unverified(SignedType, VerificationResult<SignedType>.VerificationError)
    /// The value is what the store signed for this device.
    case verified(SignedType)

    /// The value if it is verified.
    ///
    /// - Throws: The `VerificationError` otherwise.
    public var payloadValue: SignedType {
        get throws {
            switch self {
            case .verified(let value): return value
            case .unverified(_, let error): throw error
            }
        }
    }

    /// The value, verified or not.
    public var unsafePayloadValue: SignedType {
        switch self {
        case .verified(let value), .unverified(let value, _): value
        }
    }
}

extension VerificationResult: Equatable where SignedType: Equatable {}
extension VerificationResult: Hashable where SignedType: Hashable {}
extension VerificationResult: Sendable where SignedType: Sendable {}

extension VerificationResult: CustomDebugStringConvertible
where SignedType: CustomDebugStringConvertible {
    /// The value's description, and the error if there is one.
    public var debugDescription: String {
        switch self {
        case .verified(let value): "verified: \(value.debugDescription)"
        case .unverified(let value, let error): "unverified, \(error): \(value.debugDescription)"
        }
    }
}
