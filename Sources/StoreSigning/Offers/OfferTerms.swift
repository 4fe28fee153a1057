import StoreModel
import StoreVerification

/// The promise of a promotional offer's signature, and its recipient.
package struct OfferTerms: Hashable, Sendable {
    package let product: String
    /// The offer's identifier.
    package let offer: String
    /// The app's own name for its user, in the first kind of signature; an empty one counts as
    /// none.
    package let applicationUsername: String

    package init(product: String, offer: String, applicationUsername: String? = nil) {
        self.product = product
        self.offer = offer
        self.applicationUsername = applicationUsername ?? ""
    }

    /// The text of the first kind of signature: seven parts, with user name and nonce in lowercase.
    ///
    /// Apple, "Generating a signature for promotional offers". Nil when a part contains the
    /// separator itself: the same text would then also promise something else.
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

/// The claims that every JWS of an app's server about an offer has.
///
/// Apple, "Generating JWS to sign App Store requests".
protocol OfferClaimSet: Codable, Hashable, Sendable {
    static var audience: String { get }
    /// What it has, in a sentence.
    static var required: String { get }

    var iss: String { get }
    /// Seconds since 1970.
    var iat: Int64 { get }
    var aud: String { get }
    var bid: String { get }
    var nonce: String { get }
    var productId: String { get }
}

/// The claims of a JWS for a promotional offer.
struct OfferClaims: OfferClaimSet {
    static let audience = "promotional-offer"
    static let required = "iss, iat, aud, bid, nonce, productId and offerIdentifier"

    let iss: String
    let iat: Int64
    let aud: String
    let bid: String
    let nonce: String
    let productId: String
    let offerIdentifier: String
    let transactionId: String?
}

/// The claims of a JWS that decides whether a customer gets an introductory offer.
struct IntroductionClaims: OfferClaimSet {
    static let audience = "introductory-offer-eligibility"
    static let required =
        "iss, iat, aud, bid, nonce, productId, allowIntroductoryOffer and transactionId"

    let iss: String
    let iat: Int64
    let aud: String
    let bid: String
    let nonce: String
    let productId: String
    let allowIntroductoryOffer: Bool
    let transactionId: String
}

/// The header of such a JWS.
struct OfferHeader: JWSHeader, Hashable {
    /// One has about 600 bytes.
    static let jwsBytesMax = 8_192
    static let required = "alg, kid and typ"

    var alg = "ES256"
    let kid: String
    var typ = "JWT"

    func check() throws(JWSProblem) {
        guard typ == "JWT" else { throw JWSProblem("typ is not JWT") }
    }
}
