import StoreModel
@testable import StoreSigning
@testable import StoreVerification

/// Signatures for promotional offers: base64, DER, JWS, header and claims, verifier.
///
/// The verifier knows one public key, whose private half no longer exists, and the texts in
/// `Offers` are all that was ever signed with it. So everything that it accepts must be one of
/// them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOffer(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = bytes(start, count)
    readDER(input)
    readClaims(input)
    let text = String(decoding: input, as: UTF8.self)
    readBase64(text)
    known.mustRefuseUnlessKnown(jws: text)
    // Used as the header, the claims and the signature of an otherwise correct JWS.
    for place in 0..<3 {
        var parts = known.jws.split(separator: ".").map(String.init)
        parts[place] = StrictBase64.urlText(input)
        known.mustRefuseUnlessKnown(jws: parts.joined(separator: "."))
    }
    known.mustRefuseUnlessKnown(signature: text)
    known.mustRefuseUnlessKnown(signature: StrictBase64.text(input))
    return 0
}

private let known = KnownOffers()

private func readDER(_ input: [UInt8]) {
    guard let signature = try? CurveSignature(der: input) else { return }
    hold(signature.der == input, "a signature has one form in DER")
    hold(CurveSignature(raw: signature.raw) == signature, "and the same in raw bytes")
}

private func readClaims(_ input: [UInt8]) {
    guard let claims = JSONMembers<OfferClaims>(input) else { return }
    for name in ["iss", "iat", "aud", "bid", "nonce", "productId", "offerIdentifier"] {
        hold(claims.names.contains(name), "\(name) is among the names read")
    }
}

private func readBase64(_ text: String) {
    if let bytes = StrictBase64.bytes(text) {
        hold(StrictBase64.text(bytes) == text, "bytes have one form in base64")
    }
    if let bytes = StrictBase64.urlBytes(text) {
        hold(StrictBase64.urlText(bytes) == text, "and one form in base64url")
    }
}

/// A verifier, and everything that it may accept.
private struct KnownOffers {
    let jws = line("Offers/jws.txt")
    private let signature = line("Offers/signature.txt")
    private let verifier: OfferSignatureVerifier
    private let terms = OfferTerms(product: "com.example.rocketcar.club", offer: "spring")

    init() {
        let key = OfferKey(
            id: "2X9R4HXF34", publicKeyInfo: file("Offers/public-key.der"), isRevoked: false)
        let ring = OfferKeyRing(
            bundleID: "com.example.rocketcar", issuerID: "57246542-96fe-1a63-e053-0824d011072a",
            keys: [key])
        verifier = OfferSignatureVerifier(ring, at: Timestamp(milliseconds: 1_714_558_830_123))
        hold(accepts(jws: jws) && accepts(signature: signature), "the known ones are accepted")
    }

    func mustRefuseUnlessKnown(jws text: String) {
        hold(text == jws || !accepts(jws: text), "only the known JWS is accepted")
    }

    func mustRefuseUnlessKnown(signature text: String) {
        hold(text == signature || !accepts(signature: text), "only the known signature is")
    }

    private func accepts(jws text: String) -> Bool {
        (try? verifier.verify(jws: text, for: terms)) != nil
    }

    private func accepts(signature text: String) -> Bool {
        let signature = OfferSignature(
            keyID: "2X9R4HXF34", nonce: "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11",
            timestampMilliseconds: 1_714_558_830_123, signature: text)
        return (try? verifier.verify(signature, for: terms)) != nil
    }
}

private func line(_ path: String) -> String {
    String(decoding: file(path).filter { $0 != 0x0A }, as: UTF8.self)
}
