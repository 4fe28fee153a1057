import Foundation
import StoreModel
import Testing

@testable import StoreSigning
@testable import StoreVerification

/// JWS for promotional offers.
struct OfferJWSTests {
    private typealias S = OfferSamples

    private func refusal(_ jws: String) throws -> OfferSignatureRefusal? {
        let verifier = try S.verifier()
        return S.refusal { try verifier.verify(jws: jws, for: S.terms()) }
    }

    private func refusal(
        header: String = OfferSamples.header, claims: String = OfferSamples.claims()
    ) throws -> OfferSignatureRefusal? {
        try refusal(try S.jws(header: header, payload: claims, key: try S.key()))
    }

    @Test func `an offer JWS signed by another library is accepted with its transaction`() throws {
        let verified = try S.verifier().verify(jws: S.jws, for: S.terms())
        #expect(
            verified
                == VerifiedOffer(
                    offer: S.offer, keyID: S.keyID, nonce: try #require(OfferNonce(S.nonce)),
                    signedAt: S.signedAt.roundedDownToSecond,
                    transactionID: "2000000000000000"))
        #expect(try refusal() == nil, "the claims that the tests change are good themselves")
    }

    @Test func `every bit of an offer JWS counts`() throws {
        let bytes = Array(S.jws.utf8)
        let verifier = try S.verifier()
        for bit in 0..<(8 * bytes.count) where bit % 8 < 7 {
            var altered = bytes
            altered[bit / 8] ^= 1 << (bit % 8)
            let text = String(decoding: altered, as: UTF8.self)
            #expect(
                S.refusal { try verifier.verify(jws: text, for: S.terms()) } != nil, "bit \(bit)")
        }
    }

    @Test(arguments: [
        #"{"alg":"none","kid":"2X9R4HXF34","typ":"JWT"}"#,
        #"{"alg":"None","kid":"2X9R4HXF34","typ":"JWT"}"#,
        #"{"alg":"es256","kid":"2X9R4HXF34","typ":"JWT"}"#,
        #"{"alg":"ES256 ","kid":"2X9R4HXF34","typ":"JWT"}"#,
        #"{"alg":"HS256","kid":"2X9R4HXF34","typ":"JWT"}"#,
        #"{"alg":"ES384","kid":"2X9R4HXF34","typ":"JWT"}"#,
        #"{"alg":["ES256"],"kid":"2X9R4HXF34","typ":"JWT"}"#,
        #"{"alg":null,"kid":"2X9R4HXF34","typ":"JWT"}"#,
        #"{"kid":"2X9R4HXF34","typ":"JWT"}"#,
        #"{"alg":"ES256","kid":"2X9R4HXF34"}"#,
        #"{"alg":"ES256","kid":"2X9R4HXF34","typ":"jwt"}"#,
        #"{"alg":"ES256","kid":"2X9R4HXF34","typ":"JOSE"}"#,
        #"{"alg":"ES256","typ":"JWT"}"#,
        #"{"alg":"ES256","kid":7,"typ":"JWT"}"#,
        #"{"alg":"none","alg":"ES256","kid":"2X9R4HXF34","typ":"JWT"}"#,
        #"{"alg":"ES256","alg":"none","kid":"2X9R4HXF34","typ":"JWT"}"#,
        #"{"alg":"ES256","\u0061lg":"none","kid":"2X9R4HXF34","typ":"JWT"}"#,
        #"{"alg":"ES256","kid":"2X9R4HXF34","typ":"JWT","crit":["exp"],"exp":1}"#,
        #"{"alg":"ES256","kid":"2X9R4HXF34","typ":"JWT","b64":false}"#,
        #" {"alg":"ES256","kid":"2X9R4HXF34","typ":"JWT"}"#,
        #"[{"alg":"ES256","kid":"2X9R4HXF34","typ":"JWT"}]"#,
        "{\"alg\":\"ES256\",\"kid\":\"2X9R4HXF34\",\"typ\":\"JWT\"}\u{0}", "{}", "",
    ])
    func `an offer JWS with another header is refused, however well signed`(header: String) throws {
        #expect(try refusal(header: header)?.isMalformed == true)
    }

    @Test func `extra header fields change nothing`() throws {
        let header = #"{"alg":"ES256","jwk":{"alg":"none"},"kid":"2X9R4HXF34","typ":"JWT","x":[]}"#
        #expect(try refusal(header: header) == nil)
    }

    @Test func `an offer JWS with another key identifier is refused as unknown`() throws {
        let header = #"{"alg":"ES256","kid":"2X9R4HXF35","typ":"JWT"}"#
        #expect(try refusal(header: header) == .keyUnknown)
    }

    @Test func `an offer JWS must have the exact form`() throws {
        let parts = S.jws.split(separator: ".").map(String.init)
        let raw = try #require(StrictBase64.urlBytes(parts[2]))
        let signature = try #require(CurveSignature(raw: raw))
        for text in [
            "", ".", "..", "...", parts[0], parts[0] + "." + parts[1], S.jws + ".",
            S.jws + "." + parts[2], parts[0] + "." + parts[1] + ".",
            "." + parts[1] + "." + parts[2],
            S.jws + "=", S.jws + "\n", " " + S.jws, parts[0] + "=." + parts[1] + "." + parts[2],
            S.jws.replacing("-", with: "+"), S.jws.replacing("-", with: "/"),
            // Bits left over in the last letter, which would be the same bytes.
            String(S.jws.dropLast()) + "h",
            // As DER, as a shorter and as a longer one.
            parts[0] + "." + parts[1] + "." + StrictBase64.urlText(signature.der),
            parts[0] + "." + parts[1] + "." + StrictBase64.urlText(Array(repeating: 1, count: 63)),
            parts[0] + "." + parts[1] + "." + StrictBase64.urlText(Array(repeating: 1, count: 65)),
            parts[0] + "." + parts[1] + "." + StrictBase64.urlText(Array(repeating: 0, count: 64)),
            String(repeating: "A", count: 1 << 20), String(repeating: ".", count: 8_000),
            String(repeating: "é", count: 100),
        ] { #expect(try refusal(text)?.isMalformed == true, "\(text.prefix(40))") }
    }

    @Test func `an overlong offer JWS is refused before it is read`() throws {
        func signed(_ count: Int) throws -> String {
            let more = ["more": "\"\(String(repeating: "x", count: count))\""] as [String: String?]
            return try S.jws(header: S.header, payload: S.claims(more), key: try S.key())
        }
        let most = try signed(5_000)
        #expect(most.utf8.count < OfferHeader.jwsBytesMax)
        #expect(try refusal(most) == nil)
        #expect(try refusal(try signed(7_000))?.isMalformed == true)
    }

    struct Row: Sendable {
        let name: String
        let value: String?
        let refusal: OfferSignatureRefusal?

        init(_ name: String, _ value: String?, _ refusal: OfferSignatureRefusal?) {
            (self.name, self.value, self.refusal) = (name, value, refusal)
        }
    }

    @Test(arguments: [
        Row("aud", #""introductory-offer-eligibility""#, .otherClaim("aud")),
        Row("aud", #""advanced-commerce-api""#, .otherClaim("aud")),
        Row("aud", #""appstoreconnect-v1""#, .otherClaim("aud")),
        Row("aud", #""Promotional-Offer""#, .otherClaim("aud")),
        Row("bid", #""com.example.rocketcar2""#, .otherClaim("bid")),
        Row("bid", #""com.example.RocketCar""#, .otherClaim("bid")),
        Row("bid", #""""#, .otherClaim("bid")),
        Row("iss", #""57246542-96fe-1a63-e053-0824d011072b""#, .otherClaim("iss")),
        Row("iss", #""""#, .otherClaim("iss")),
        Row("iss", #""57246542-96FE-1A63-E053-0824D011072A""#, nil),
        Row("productId", #""com.example.rocketcar.club2""#, .otherClaim("productId")),
        Row("productId", #""com.example.rocketcar.Club""#, .otherClaim("productId")),
        Row("offerIdentifier", #""summer""#, .otherClaim("offerIdentifier")),
        Row("offerIdentifier", #""Spring""#, .otherClaim("offerIdentifier")),
        Row("transactionId", #""7""#, nil),
        Row("transactionId", "null", nil),
        Row("iat", "1714472431", nil),
        Row("iat", "1714472430", .expired),
        Row("iat", "1714559130", nil),
        Row("iat", "1714559131", .fromTheFuture),
        Row("iat", "1714558830123", .malformed("the timestamp is not a time")),
        Row("iat", "9223372036854775807", .malformed("iat is not a time")),
        Row("iat", "-1", .expired),
        Row("nonce", #""once""#, .malformed("the nonce is not a UUID")),
        Row("other", #"{"productId":"x","iat":[1,{"iat":2}]}"#, nil),
    ])
    func `every claim of an offer JWS counts`(row: Row) throws {
        #expect(try refusal(claims: S.claims([row.name: row.value])) == row.refusal)
    }

    @Test(
        arguments: [
            ("aud", nil), ("aud", #"["promotional-offer"]"#), ("bid", nil), ("iss", nil),
            ("iat", nil),
            ("iat", #""1714558830""#), ("iat", "1714558830.5"), ("iat", "1e400"),
            ("iat", "9223372036854775808"), ("nonce", nil), ("nonce", "7"), ("productId", nil),
            ("offerIdentifier", nil), ("offerIdentifier", "null"), ("transactionId", "7"),
        ] as [(String, String?)])
    func `missing or wrongly typed claims are malformed`(
        name: String, value: String?
    ) throws {
        #expect(try refusal(claims: S.claims([name: value]))?.isMalformed == true)
    }

    @Test func `a repeated claim is malformed in any spelling`() throws {
        let claims = S.claims().dropLast()
        for more in [#","bid":"com.example.rocketcar"}"#, #","\u0062id":"com.example.other"}"#] {
            #expect(try refusal(claims: claims + more)?.isMalformed == true)
        }
        #expect(try refusal(claims: claims + #","a":"\",\"bid\":\"x","b":["bid"]}"#) == nil)
    }

    @Test func `a developer account without an issuer accepts no offer JWS`() throws {
        let verifier = try S.verifier(try S.ring(issuerID: nil))
        for issuer in ["", "null"] {
            let jws = try S.jws(
                header: S.header, payload: S.claims(["iss": "\"\(issuer)\""]), key: try S.key())
            #expect(
                S.refusal { try verifier.verify(jws: jws, for: S.terms()) } == .otherClaim("iss"))
        }
    }

    @Test(arguments: [nil, "2000000000000000"])
    func `an offer JWS signed here is accepted here, and nothing else`(transaction: String?) throws
    {
        let key = try CurvePrivateKey.make()
        let signer = OfferSigner(key: key, keyID: S.keyID, bundleID: Samples.bundleID)
        let nonce = try #require(OfferNonce(S.nonce))
        let jws = try signer.jws(
            for: S.terms(), issuerID: S.issuerID, nonce: nonce, transaction: transaction,
            at: S.signedAt)
        let verified = try S.verifier(try S.ring(key: key)).verify(jws: jws, for: S.terms())
        #expect(verified.transactionID == transaction && verified.nonce == nonce)
        #expect(try refusal(jws) == .wrongSignature)
        let head = try #require(StrictBase64.urlBytes(String(jws.prefix { $0 != "." })))
        #expect(String(decoding: head, as: UTF8.self) == S.header)
    }
}
