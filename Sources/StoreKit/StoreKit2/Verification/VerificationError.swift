public import Foundation

extension VerificationResult {
    /// Why signed data are not verified.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public enum VerificationError: Error, Hashable, Sendable {
        /// A certificate of the chain was revoked.
        case revokedCertificate
        /// The chain of certificates can be read, and it may not sign these data.
        case invalidCertificateChain
        /// The data are for another device.
        case invalidDeviceVerification
        /// The data cannot be read.
        case invalidEncoding
        /// The signature is not of these data.
        case invalidSignature
        /// A member is missing which such data must have.
        case missingRequiredProperties
    }
}

@available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
extension VerificationResult.VerificationError: LocalizedError {
    /// What went wrong.
    public var errorDescription: String? { "The signed data could not be verified." }

    /// Why it did.
    public var failureReason: String? {
        switch self {
        case .revokedCertificate: "A certificate that signed the data was revoked."
        case .invalidCertificateChain: "The certificates are not ones that may sign the data."
        case .invalidDeviceVerification: "The data are for another device."
        case .invalidEncoding: "The data cannot be read."
        case .invalidSignature: "The signature does not belong to the data."
        case .missingRequiredProperties: "The data lack something that they must have."
        }
    }

    /// What may help.
    public var recoverySuggestion: String? {
        "Do not deliver what was bought. Get the purchases from the store again."
    }
}
