import StoreModel

/// What a signature for a promotional offer promises, and to whom.
package struct OfferTerms: Hashable, Sendable {
    package let product: String
    /// The offer's identifier.
    package let offer: String
    /// The app's own name for its user, of the first kind of signature; an empty one is none.
    package let applicationUsername: String

    package init(product: String, offer: String, applicationUsername: String? = nil) {
        self.product = product
        self.offer = offer
        self.applicationUsername = applicationUsername ?? ""
    }

    /// The text of the first kind of signature: seven parts, user name and nonce in small letters.
    ///
    /// Apple, "Generating a signature for promotional offers". Nil when a part holds the separator
    /// itself: the same text would then promise something else, too.
    func signedText(
        bundleID: String, keyID: String, nonce: OfferNonce, timestampMilliseconds: Int64
    ) -> String? {
        let parts = [
            bundleID, keyID, product, offer, applicationUsername.lowercased(), nonce.text,
            "\(timestampMilliseconds)",
        ]
        guard parts.allSatisfy({ !$0.unicodeScalars.contains(Self.separator) }) else { return nil }
        return parts.joined(separator: String(Self.separator))
    }

    /// INVISIBLE SEPARATOR.
    static let separator: Unicode.Scalar = "\u{2063}"
}

/// The claims of a JWS for a promotional offer.
///
/// Apple, "Generating JWS to sign App Store requests".
struct OfferClaims: Codable, Hashable, Sendable {
    static let audience = "promotional-offer"

    let iss: String
    /// Seconds since 1970.
    let iat: Int64
    let aud: String
    let bid: String
    let nonce: String
    let productId: String
    let offerIdentifier: String
    let transactionId: String?
}
