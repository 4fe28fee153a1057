import Foundation
import StoreModel
package import StoreSigning

/// The app's key for promotional offers, as the backend uses it.
package struct OfferSigning: Sendable {
    /// The key's identifier at the store.
    let keyID: String
    private let signer: OfferSigner

    package init(key: CurvePrivateKey, keyID: String, bundleID: String) {
        self.keyID = keyID
        signer = OfferSigner(key: key, keyID: keyID, bundleID: bundleID)
    }

    /// Reads the key of a configuration: PKCS#8 in PEM, readable by its owner only. Nil when there
    /// is none.
    static func read(
        _ configuration: BackendConfiguration, bundleID: String
    ) throws(BackendError) -> OfferSigning? {
        switch (configuration.offerKeyFile, configuration.offerKeyID) {
        case (nil, nil): return nil
        case (_?, nil), (nil, _?):
            throw BackendError(
                .badConfiguration, "--offer-key and --offer-key-id belong together: give both")
        case (let path?, let keyID?):
            guard isPlainWord(keyID, bytesMax: BackendLimits.offerIDBytesMax) else {
                throw BackendError(.badConfiguration, "--offer-key-id is not a key identifier")
            }
            let file = URL(fileURLWithPath: path)
            do {
                let bytes = try KeyDirectory(path: file.deletingLastPathComponent().path)
                    .read(file.lastPathComponent, isSecret: true)
                return OfferSigning(
                    key: try CurvePrivateKey(pem: bytes), keyID: keyID, bundleID: bundleID)
            } catch {
                throw BackendError(
                    .badConfiguration, "the offer key \(path) cannot be used: \(error)")
            }
        }
    }

    /// The signature for an offer, in DER; `nonce` is a UUID.
    func signature(
        for wanted: OfferRequest, nonce: String, at now: Timestamp
    ) throws -> [UInt8] {
        guard let nonce = OfferNonce(nonce) else { throw NoNonce() }
        let signature = try signer.signature(
            for: OfferTerms(
                product: wanted.productID, offer: wanted.offerID,
                applicationUsername: wanted.applicationUsername), nonce: nonce, at: now)
        return Data(base64Encoded: signature.signature).map(Array.init) ?? []
    }

    private struct NoNonce: Error {}

    /// How long a signature is valid, by the real clock.
    static let lifetimeMilliseconds = OfferSignatureVerifier.millisecondsMax

    /// How long a signature that is given again must still be valid: enough time to look at a
    /// payment sheet.
    static let restMilliseconds: Int64 = 3_600_000
}

/// The offer that a user wants signed.
package struct OfferRequest: Hashable, Sendable {
    package let productID: String
    package let offerID: String
    /// The backend's name for its user, as the payment must have it.
    package let applicationUsername: String
}
