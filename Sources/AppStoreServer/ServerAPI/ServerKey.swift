package import StoreModel
import StoreSigning

/// A private key with which an app's server asks the App Store Server API.
package struct ServerKey {
    private let key: CurvePrivateKey

    /// From the text of a .p8 file, PKCS#8 in PEM on the curve P-256.
    package init(text: [UInt8]) throws(StartFailure) {
        do {
            key = try CurvePrivateKey(pem: text)
        } catch {
            throw StartFailure("the file is not the private key of an app: \(error)")
        }
    }

    /// A token for five minutes from a moment in real time.
    package func token(
        bundleID: String, issuerID: String, keyID: String, at now: Timestamp
    ) throws -> String {
        try ServerToken.make(
            bundleID: bundleID, issuerID: issuerID, keyID: keyID, key: key, at: now)
    }
}
