import StoreModel
@testable import StoreSigning
@testable import StoreVerification

/// Tokens of the App Store Server API: JWT, header, claims, verifier.
///
/// The verifier knows one public key, whose private half no longer exists, and one token was ever
/// signed with it. So nothing else is accepted, and that one at its time alone.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzToken(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = bytes(start, count)
    known.mustRefuseUnlessKnown(String(decoding: input, as: UTF8.self))
    // Used as the header, the claims and the signature of the token.
    for place in 0..<3 {
        var parts = known.text.split(separator: ".").map(String.init)
        parts[place] = StrictBase64.urlText(input)
        known.mustRefuseUnlessKnown(parts.joined(separator: "."))
    }
    return 0
}

private let known = KnownToken()

private struct KnownToken {
    let text = String(decoding: file("SignedData/token.txt"), as: UTF8.self)
    private let ring: OfferKeyRing
    private let madeAt = Timestamp(milliseconds: 1_714_558_831_000)

    init() {
        ring = OfferKeyRing(
            bundleID: "com.example.rocketcar", issuerID: "57246542-96fe-1a63-e053-0824d011072a",
            keys: [
                OfferKey(
                    id: "2X9R4HXF34", publicKeyInfo: file("SignedData/token-key.der"),
                    isRevoked: false)
            ])
        hold(accepts(text, after: 0), "the known token is accepted")
        hold(accepts(text, after: 300), "and in its last minute")
        hold(!accepts(text, after: 361), "and not later")
    }

    func mustRefuseUnlessKnown(_ text: String) {
        hold(text == self.text || !accepts(text, after: 0), "only the known token is accepted")
    }

    private func accepts(_ text: String, after seconds: Int64) -> Bool {
        let now = madeAt.adding(milliseconds: 1_000 * seconds)
        let tokens = ServerTokens()
        guard let token = try? tokens.read(text),
            (try? tokens.verify(token, text, ring, at: now)) != nil
        else { return false }
        hold(tokens.known(text, at: now) != nil, "a token that was verified is known")
        return true
    }
}
