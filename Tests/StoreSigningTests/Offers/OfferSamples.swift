import Foundation
import StoreModel

@testable import StoreSigning
@testable import StoreVerification

/// A key, and what Apple's own library for servers signed with it (app-store-server-library 3.1.2
/// for Python; the JWS by the library that it uses, with a date of our choice). The key is used
/// nowhere else.
enum OfferSamples {
    static let keyID = "2X9R4HXF34"
    static let issuerID = "57246542-96fe-1a63-e053-0824d011072a"
    static let product = "com.example.rocketcar.club"
    static let offer = "spring"
    static let user = "Driver-ÄÖ"
    static let nonce = "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11"
    static let signedAt = Timestamp(milliseconds: 1_714_558_830_123)

    static let pem = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgI5Tklrzc1B+q2K4y
        ixe/6j5QQxtBqz+ExyR2m51FxuihRANCAARi6mHyxG+KKt0Bls/T3RaeQN3SwL2H
        gcMgTJiWlGe5HhevRBD7f6ggSHhNmbi3xS5hBUATa26tbWARxVFqkuOj
        -----END PRIVATE KEY-----

        """
    static let publicKeyInfo = """
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYuph8sRviirdAZbP090WnkDd0sC9h4HDIEyYlpRnuR4Xr0QQ+3+o\
        IEh4TZm4t8UuYQVAE2turW1gEcVRapLjow==
        """
    /// For `user`.
    static let signature = """
        MEYCIQC7OHMdoA+CjgPE2JXUk+/D0U7B3uNZGzXE8qlRZD/BiQIhAPX4ArJvg7jbwbRLAzdyycizuGTtKreU/ato\
        DXjzaxhu
        """
    /// For nobody.
    static let signatureWithoutUser = """
        MEQCIHT9vO/IhtzIY56MS8x834t9qT+5lHa0mjkHqBOpEL4nAiAVdktzqi5ioGy3sL3ailexZN897rZFBtnD3fAG\
        zBfV3g==
        """
    static let jws = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6IjJYOVI0SFhGMzQiLCJ0eXAiOiJKV1QifQ.eyJwcm9kdWN0SWQiOiJjb20uZ\
        XhhbXBsZS5yb2NrZXRjYXIuY2x1YiIsIm9mZmVySWRlbnRpZmllciI6InNwcmluZyIsInRyYW5zYWN0aW9uSWQiO\
        iIyMDAwMDAwMDAwMDAwMDAwIiwiYmlkIjoiY29tLmV4YW1wbGUucm9ja2V0Y2FyIiwiaXNzIjoiNTcyNDY1NDItO\
        TZmZS0xYTYzLWUwNTMtMDgyNGQwMTEwNzJhIiwiYXVkIjoicHJvbW90aW9uYWwtb2ZmZXIiLCJpYXQiOjE3MTQ1N\
        Tg4MzAsIm5vbmNlIjoiNmMxZTJkNTgtOWE1Ny00ZDBiLThlMGEtMmI2YjZmMGY1YTExIn0.MF-X8QyAuu7SJ3yJ9\
        JgkLccsO3YeyqQZbPAgjoxV1xFJMvfNjDK9DJnLtntmBLAz9vDwj1vV2fWV19hVdbBtMg
        """

    static func key() throws -> CurvePrivateKey { try CurvePrivateKey(pem: Array(pem.utf8)) }

    static func ring(
        bundleID: String = Samples.bundleID, issuerID: String? = issuerID, keyID: String = keyID,
        key: CurvePrivateKey? = nil, isRevoked: Bool = false
    ) throws -> OfferKeyRing {
        OfferKeyRing(
            bundleID: bundleID, issuerID: issuerID,
            keys: [
                OfferKey(
                    id: keyID, publicKeyInfo: try (key ?? self.key()).publicKeyInfo(),
                    isRevoked: isRevoked)
            ])
    }

    static func verifier(
        _ ring: OfferKeyRing? = nil, afterMilliseconds delay: Int64 = 0
    ) throws -> OfferSignatureVerifier {
        OfferSignatureVerifier(
            try ring ?? self.ring(), at: signedAt.adding(milliseconds: delay))
    }

    static func terms(
        product: String = product, offer: String = offer, user: String? = user
    ) -> OfferTerms {
        OfferTerms(product: product, offer: offer, applicationUsername: user)
    }

    static func signature(
        _ text: String = signature, keyID: String = keyID, nonce: String = nonce,
        timestamp: Int64 = signedAt.milliseconds
    ) -> OfferSignature {
        OfferSignature(
            keyID: keyID, nonce: nonce, timestampMilliseconds: timestamp, signature: text)
    }

    /// Why something is refused; nil when it is not.
    static func refusal(_ body: () throws -> VerifiedOffer) -> OfferSignatureRefusal? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? OfferSignatureRefusal
        }
    }

    /// Any header and payload, signed as a JWS would be.
    static func jws(header: String, payload: String, key: CurvePrivateKey) throws -> String {
        let text =
            StrictBase64.urlText(Array(header.utf8)) + "."
            + StrictBase64.urlText(Array(payload.utf8))
        let signature = try key.signature(over: Array(text.utf8))
        return text + "." + StrictBase64.urlText(signature.raw)
    }

    static let header = #"{"alg":"ES256","kid":"2X9R4HXF34","typ":"JWT"}"#

    /// The claims of the sample as JSON, with some changed, or taken away by nil.
    static func claims(_ changes: [String: String?] = [:]) -> String {
        var members = [
            "productId": "\"\(product)\"", "offerIdentifier": "\"\(offer)\"",
            "bid": "\"\(Samples.bundleID)\"", "iss": "\"\(issuerID)\"",
            "aud": "\"promotional-offer\"", "iat": "1714558830",
            "nonce": "\"\(nonce)\"",
        ]
        for (name, value) in changes { members[name] = value }
        let text = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
        return "{\(text.joined(separator: ","))}"
    }
}

extension OfferSignatureRefusal {
    var isMalformed: Bool { if case .malformed = self { true } else { false } }
}
