public import Foundation

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension VerificationResult where SignedType == Product.SubscriptionInfo.RenewalInfo {
    /// The renewal as the store signed it: a JWS in its compact form.
    public var jwsRepresentation: String { unsafePayloadValue.signed.text }

    /// The bytes of the JWS's header, JSON.
    public var headerData: Data { unsafePayloadValue.signed.header }

    /// The bytes of the JWS's payload, JSON.
    public var payloadData: Data { unsafePayloadValue.signed.payload }

    /// The bytes of the signature: the two numbers of ECDSA, 32 bytes each.
    public var signatureData: Data { unsafePayloadValue.signed.signature }

    /// The bytes that are signed: header and payload in base64url, with a dot between them.
    public var signedData: Data { unsafePayloadValue.signed.signedBytes }

    /// The digest by which the data are for this device.
    public var deviceVerification: Data { unsafePayloadValue.deviceVerification }

    /// The number that went into the digest.
    public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }

    /// When the store signed it.
    public var signedDate: Date { unsafePayloadValue.signedDate }
}
