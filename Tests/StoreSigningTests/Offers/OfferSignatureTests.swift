import Foundation
import StoreModel
import Testing

@testable import StoreSigning
@testable import StoreVerification

/// The first kind of signature for a promotional offer.
struct OfferSignatureTests {
    private typealias S = OfferSamples
    private static let day: Int64 = 86_400_000

    @Test func `an offer signed by Apple's library is accepted with a user and without`() throws {
        let verified = try S.verifier().verify(S.signature(), for: S.terms())
        #expect(
            verified
                == VerifiedOffer(
                    offer: S.offer, keyID: S.keyID, nonce: try #require(OfferNonce(S.nonce)),
                    signedAt: S.signedAt, transactionID: nil))
        #expect(verified.endsAt == S.signedAt.adding(milliseconds: Self.day))
        for user in [nil, ""] {
            let signature = S.signature(S.signatureWithoutUser)
            #expect(throws: Never.self) {
                try S.verifier().verify(signature, for: S.terms(user: user))
            }
        }
    }

    @Test func `the signed text has seven parts with user and nonce in lower case`() throws {
        let nonce = try #require(OfferNonce(S.nonce))
        let text = S.terms().signedText(
            bundleID: Samples.bundleID, keyID: S.keyID, nonce: nonce,
            timestampMilliseconds: 1_714_558_830_123)
        #expect(
            text?.unicodeScalars.split(separator: "\u{2063}").map { String($0) } == [
                "com.example.rocketcar", "2X9R4HXF34", "com.example.rocketcar.club", "spring",
                "driver-äö", "6c1e2d58-9a57-4d0b-8e0a-2b6b6f0f5a11", "1714558830123",
            ])
        let empty = S.terms(user: nil).signedText(
            bundleID: "a", keyID: "b", nonce: nonce, timestampMilliseconds: 1)
        #expect(empty?.unicodeScalars.count(where: { $0 == "\u{2063}" }) == 6)
    }

    @Test(arguments: ["DRIVER-ÄÖ", "driver-äö", "Driver-ÄÖ"])
    func `user and nonce may be in either case`(user: String) throws {
        for nonce in [S.nonce, S.nonce.lowercased()] {
            #expect(throws: Never.self) {
                try S.verifier().verify(S.signature(nonce: nonce), for: S.terms(user: user))
            }
        }
    }

    /// One part of what was signed, changed.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var bundleID = Samples.bundleID
        var keyID = OfferSamples.keyID
        var product = OfferSamples.product
        var offer = OfferSamples.offer
        var user: String? = OfferSamples.user
        var nonce = OfferSamples.nonce
        var timestamp = OfferSamples.signedAt.milliseconds

        init(_ name: String, _ change: (inout Change) -> Void) {
            testDescription = name
            change(&self)
        }
    }

    @Test(arguments: [
        Change("app") { $0.bundleID = "com.example.rocketcar2" },
        Change("app in capitals") { $0.bundleID = "com.example.RocketCar" },
        Change("key") { $0.keyID = "2X9R4HXF35" },
        Change("product") { $0.product = "com.example.rocketcar.club2" },
        Change("product in capitals") { $0.product = "com.example.rocketcar.Club" },
        Change("offer") { $0.offer = "Spring" },
        Change("no user") { $0.user = nil },
        Change("user") { $0.user = "driver-ao" },
        Change("user in other bytes") { $0.user = "driver-a\u{308}o\u{308}" },
        Change("nonce") { $0.nonce = "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A12" },
        Change("timestamp") { $0.timestamp += 1 },
        Change("timestamp in seconds") { $0.timestamp /= 1_000 },
    ])
    func `every part of an offer signature's text counts`(change: Change) throws {
        let ring = try S.ring(bundleID: change.bundleID, keyID: change.keyID)
        let signature = S.signature(
            keyID: change.keyID, nonce: change.nonce, timestamp: change.timestamp)
        let terms = S.terms(product: change.product, offer: change.offer, user: change.user)
        #expect(
            try S.verifier(ring).refusalOfVerifying(signature, terms) == .wrongSignature)
    }

    @Test func `every bit of an offer signature counts`() throws {
        let verifier = try S.verifier()
        let der = try #require(StrictBase64.bytes(S.signature))
        for bit in 0..<(8 * der.count) {
            var altered = der
            altered[bit / 8] ^= 1 << (bit % 8)
            let refusal = verifier.refusalOfVerifying(
                S.signature(StrictBase64.text(altered)), S.terms())
            #expect(refusal == .wrongSignature || refusal?.isMalformed == true, "bit \(bit)")
        }
    }

    @Test(arguments: [
        "", "x", "AAAA", " " + OfferSamples.signature, OfferSamples.signature + "\n",
        OfferSamples.signature + "====", String(OfferSamples.signature.dropLast()),
        OfferSamples.signature.replacing("/", with: "_").replacing("+", with: "-"),
        String(repeating: "A", count: 1 << 20),
        // One byte too many behind a whole signature.
        "MEYCIQC7OHMdoA+CjgPE2JXUk+/D0U7B3uNZGzXE8qlRZD/BiQIhAPX4ArJvg7jbwbRLAzdyycizuGTtKreU/atoDXjzaxhuAA==",
        // Bits left over in the last letter.
        OfferSamples.signatureWithoutUser.replacing("3g==", with: "3h=="),
    ])
    func `an offer signature that is not base64 is malformed`(text: String) throws {
        let refusal = try S.verifier().refusalOfVerifying(S.signature(text), S.terms())
        #expect(refusal?.isMalformed == true)
    }

    @Test func `an offer signature in the raw form of a JWS is malformed`() throws {
        let der = try #require(StrictBase64.bytes(S.signature))
        let raw = try CurveSignature(der: der).raw
        let refusal = try S.verifier().refusalOfVerifying(
            S.signature(StrictBase64.text(raw)), S.terms())
        #expect(refusal?.isMalformed == true)
    }

    @Test(arguments: [
        "", "nonce", "6c1e2d589a574d0b8e0a2b6b6f0f5a11", "{6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11}",
        "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A1", "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11 ",
        "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A1G",
    ])
    func `an offer nonce must be a UUID`(nonce: String) throws {
        let refusal = try S.verifier().refusalOfVerifying(S.signature(nonce: nonce), S.terms())
        #expect(refusal == .malformed("the nonce is not a UUID"))
    }

    @Test func `a part containing the separator is refused`() throws {
        let key = try S.key()
        let signer = OfferSigner(key: key, keyID: S.keyID, bundleID: Samples.bundleID)
        let nonce = try #require(OfferNonce(S.nonce))
        // The same text: a product "a" with offer "b<sep>c", and "a<sep>b" with offer "c".
        let terms = S.terms(product: "a", offer: "b\u{2063}c")
        #expect(throws: SigningFailure(.invalidValue, "")) {
            try signer.signature(for: terms, nonce: nonce, at: S.signedAt)
        }
        let text = [
            "com.example.rocketcar", S.keyID, "a", "b", "c", "", nonce.text, "1714558830123",
        ]
        .joined(separator: "\u{2063}")
        let made = try key.signature(over: Array(text.utf8)).der
        for terms in [terms, S.terms(product: "a\u{2063}b", offer: "c", user: nil)] {
            let refusal = try S.verifier().refusalOfVerifying(
                S.signature(StrictBase64.text(made)), terms)
            #expect(refusal == .malformed("a signed part contains U+2063"))
        }
    }

    @Test(
        arguments: [
            (0, nil), (day - 1, nil), (day, .expired), (day + 1, .expired), (365 * day, .expired),
            (-300_000, nil), (-300_001, .fromTheFuture), (-day, .fromTheFuture),
        ] as [(Int64, OfferSignatureRefusal?)])
    func `an offer signature is valid for 24 hours and up to five minutes ahead`(
        delay: Int64, expected: OfferSignatureRefusal?
    ) throws {
        let verifier = try S.verifier(afterMilliseconds: delay)
        #expect(verifier.refusalOfVerifying(S.signature(), S.terms()) == expected)
        // A JWS has whole seconds.
        let seconds = try S.verifier(afterMilliseconds: delay - 123)
        #expect(S.refusal { try seconds.verify(jws: S.jws, for: S.terms()) } == expected)
    }

    @Test(arguments: [Int64.min, -1, 0, Int64.max, 253_402_300_800_000])
    func `any out-of-range signed timestamp is refused without harm`(time: Int64) throws {
        let key = try S.key()
        let nonce = try #require(OfferNonce(S.nonce))
        let text = S.terms().signedText(
            bundleID: Samples.bundleID, keyID: S.keyID, nonce: nonce, timestampMilliseconds: time)
        let made = try key.signature(over: Array(try #require(text).utf8)).der
        let refusal = try S.verifier().refusalOfVerifying(
            S.signature(StrictBase64.text(made), timestamp: time), S.terms())
        #expect(refusal == .expired || refusal == .malformed("the timestamp is not a time"))
    }

    @Test func `only a known, unrevoked offer key is accepted`() throws {
        let rings: [(OfferKeyRing, OfferSignatureRefusal)] = [
            (try S.ring(isRevoked: true), .keyRevoked),
            (try S.ring(keyID: "0000000000"), .keyUnknown),
            (OfferKeyRing(bundleID: Samples.bundleID, issuerID: nil, keys: []), .keyUnknown),
            (try S.ring(key: try CurvePrivateKey.make()), .wrongSignature),
        ]
        for (ring, expected) in rings {
            let verifier = try S.verifier(ring)
            #expect(verifier.refusalOfVerifying(S.signature(), S.terms()) == expected)
            #expect(
                S.refusal { try verifier.verify(jws: S.jws, for: S.terms()) } == expected)
        }
    }

    @Test(arguments: [nil, "", "Fahrer Ü"])
    func `an offer signature made here is accepted here, and nothing else`(user: String?) throws {
        let key = try CurvePrivateKey.make()
        let signer = OfferSigner(key: key, keyID: S.keyID, bundleID: Samples.bundleID)
        let nonce = try #require(OfferNonce(S.nonce))
        let terms = S.terms(user: user)
        let signature = try signer.signature(for: terms, nonce: nonce, at: S.signedAt)
        let verifier = try S.verifier(try S.ring(key: key))
        #expect(verifier.refusalOfVerifying(signature, terms) == nil)
        #expect(try S.verifier().refusalOfVerifying(signature, terms) == .wrongSignature)
        #expect(
            verifier.refusalOfVerifying(signature, S.terms(user: "another")) == .wrongSignature)
    }
}

extension OfferSignatureVerifier {
    fileprivate func refusalOfVerifying(
        _ signature: OfferSignature, _ terms: OfferTerms
    ) -> OfferSignatureRefusal? {
        OfferSamples.refusal { try verify(signature, for: terms) }
    }
}
