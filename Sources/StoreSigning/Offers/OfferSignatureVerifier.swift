package import StoreModel
import StoreVerification

/// Checks signatures for promotional offers of one app, at one moment.
///
/// That moment is in real time, whatever a world's clock shows: a signature comes from a server
/// that knows nothing about worlds.
package struct OfferSignatureVerifier: Sendable {
    /// How long a signature is valid: 24 hours.
    package static let millisecondsMax: Int64 = 86_400_000
    /// How far the signer's clock may be ahead: 5 minutes.
    package static let aheadMillisecondsMax: Int64 = 300_000
    /// The longest signature in base64; the actual maximum is 96 characters.
    package static let signatureBytesMax = 128

    private let ring: OfferKeyRing
    private let now: Timestamp

    package init(_ ring: OfferKeyRing, at now: Timestamp) {
        self.ring = ring
        self.now = now
    }

    /// Checks the first kind: ECDSA in DER over seven parts.
    package func verify(
        _ signature: OfferSignature, for terms: OfferTerms
    ) throws(OfferSignatureRefusal) -> VerifiedOffer {
        let value = try Self.value(of: signature.signature)
        let nonce = try Self.nonce(signature.nonce)
        let key = try ring.key(signature.keyID)
        let text = terms.signedText(
            bundleID: ring.bundleID, keyID: signature.keyID, nonce: nonce,
            timestampMilliseconds: signature.timestampMilliseconds)
        guard let text else { throw .malformed("a signed part contains U+2063") }
        guard key.isValid(value, over: Array(text.utf8)[...]) else { throw .wrongSignature }
        return VerifiedOffer(
            offer: terms.offer, keyID: signature.keyID, nonce: nonce,
            signedAt: try checked(milliseconds: signature.timestampMilliseconds),
            transactionID: nil)
    }

    /// Checks a JWS with the claims of a promotional offer; it does not include the user name.
    package func verify(
        jws text: String, for terms: OfferTerms
    ) throws(OfferSignatureRefusal) -> VerifiedOffer {
        let (claims, keyID) = try claims(OfferClaims.self, in: text, for: terms.product)
        let offer = claims.offerIdentifier
        guard offer.isSameText(as: terms.offer), !offer.isEmpty else {
            throw .otherClaim("offerIdentifier")
        }
        return VerifiedOffer(
            offer: terms.offer, keyID: keyID, nonce: try Self.nonce(claims.nonce),
            signedAt: try signingTime(of: claims), transactionID: claims.transactionId)
    }

    /// Checks a JWS that decides whether a customer gets an introductory offer of a product.
    package func verify(
        introduction text: String, for product: String
    ) throws(OfferSignatureRefusal) -> VerifiedIntroduction {
        let (claims, _) = try claims(IntroductionClaims.self, in: text, for: product)
        return VerifiedIntroduction(
            isAllowed: claims.allowIntroductoryOffer, nonce: try Self.nonce(claims.nonce),
            signedAt: try signingTime(of: claims), transactionID: claims.transactionId)
    }

    /// The claims of a JWS that one of the app's keys signed, of this issuer, for this app and
    /// product, with the identifier of the key.
    private func claims<Claims: OfferClaimSet>(
        _: Claims.Type, in text: String, for product: String
    ) throws(OfferSignatureRefusal) -> (claims: Claims, keyID: String) {
        let jws: CompactJWS<OfferHeader>
        do throws(JWSProblem) {
            jws = try CompactJWS(text)
        } catch {
            throw .malformed(error.text)
        }
        guard jws.isSigned(by: try ring.key(jws.header.kid)) else { throw .wrongSignature }
        guard let claims = JSONMembers<Claims>(jws.payload)?.value else {
            throw .malformed("the claims are not an object with \(Claims.required)")
        }
        // A UUID is the same in uppercase and lowercase.
        let issuer = ring.issuerID?.lowercased() ?? ""
        for (name, found, expected) in [
            ("aud", claims.aud, Claims.audience), ("bid", claims.bid, ring.bundleID),
            ("iss", claims.iss.lowercased(), issuer), ("productId", claims.productId, product),
        ] where !found.isSameText(as: expected) || found.isEmpty {
            throw .otherClaim(name)
        }
        return (claims, jws.header.kid)
    }

    private func signingTime(
        of claims: some OfferClaimSet
    ) throws(OfferSignatureRefusal) -> Timestamp {
        let (milliseconds, isTooLarge) = claims.iat.multipliedReportingOverflow(by: 1_000)
        guard !isTooLarge else { throw .malformed("iat is not a time") }
        return try checked(milliseconds: milliseconds)
    }

    private func checked(
        milliseconds: Int64
    ) throws(OfferSignatureRefusal) -> Timestamp {
        let time = Timestamp(milliseconds: milliseconds)
        guard Timestamp.range.contains(time) else {
            throw .malformed("the timestamp is not a time")
        }
        guard now < time.adding(milliseconds: Self.millisecondsMax) else { throw .expired }
        guard time <= now.adding(milliseconds: Self.aheadMillisecondsMax) else {
            throw .fromTheFuture
        }
        return time
    }

    private static func value(
        of text: String
    ) throws(OfferSignatureRefusal) -> CurveSignature {
        guard text.utf8.count <= signatureBytesMax, let der = StrictBase64.bytes(text) else {
            throw .malformed("it is not in base64, or is too long")
        }
        do throws(DERError) {
            return try CurveSignature(der: der)
        } catch {
            throw .malformed("\(error)")
        }
    }

    private static func nonce(_ text: String) throws(OfferSignatureRefusal) -> OfferNonce {
        guard let nonce = OfferNonce(text) else { throw .malformed("the nonce is not a UUID") }
        return nonce
    }
}
