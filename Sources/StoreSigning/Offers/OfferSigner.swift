package import StoreModel
import StoreVerification

/// Signs promotional offers, as an app developer's server does.
package struct OfferSigner: Sendable {
    private let key: CurvePrivateKey
    private let keyID: String
    private let bundleID: String

    package init(key: CurvePrivateKey, keyID: String, bundleID: String) {
        self.key = key
        self.keyID = keyID
        self.bundleID = bundleID
    }

    /// The first kind, for `SKPaymentDiscount`; good for 24 hours from `now`, once for each nonce.
    package func signature(
        for terms: OfferTerms, nonce: OfferNonce, at now: Timestamp
    ) throws -> OfferSignature {
        let text = terms.signedText(
            bundleID: bundleID, keyID: keyID, nonce: nonce,
            timestampMilliseconds: now.milliseconds)
        guard let text else {
            throw SigningFailure(
                .invalidValue, "A part to be signed contains the separator U+2063.")
        }
        let signature = try key.signature(over: Array(text.utf8)).der
        return OfferSignature(
            keyID: keyID, nonce: nonce.text, timestampMilliseconds: now.milliseconds,
            signature: StrictBase64.text(signature))
    }

    /// A JWS, for StoreKit 2. `transaction` is any one that belongs to the customer.
    package func jws(
        for terms: OfferTerms, issuerID: String, nonce: OfferNonce, transaction: String?,
        at now: Timestamp
    ) throws -> String {
        try CompactJWS.text(
            of: OfferClaims(
                iss: issuerID, iat: now.seconds, aud: OfferClaims.audience, bid: bundleID,
                nonce: nonce.text, productId: terms.product, offerIdentifier: terms.offer,
                transactionId: transaction),
            header: OfferHeader(kid: keyID), signedBy: key)
    }
}
