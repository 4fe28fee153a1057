package import StoreModel
import StoreVerification

/// A bearer token of the App Store Server API: a JWT (RFC 7519) signed with one of an app's keys.
///
/// Only `ServerTokens.verify` establishes trust. Tokens as real servers send them are accepted:
/// without `iat`, with further claims, for a whole hour, and for a minute longer than they say.
/// Source: Apple, *Generating JSON Web Tokens for API requests*.
package struct ServerToken: Sendable {
    /// The longest validity that a token may have, an hour.
    package static let millisecondsMax: Int64 = 3_600_000
    /// The greatest difference between clocks that is accepted.
    package static let skewMilliseconds: Int64 = 60_000
    static let audience = "appstoreconnect-v1"

    fileprivate let jws: CompactJWS<ServerTokenHeader>
    fileprivate let head: ArraySlice<UInt8>
    private let claims: ServerTokenClaims

    /// Throws for a text that is not a JWT with the claims `aud`, `bid`, `exp` and `iss`; `heads`
    /// are the headers read before.
    fileprivate init(
        _ text: String, heads: VerificationCache<ServerTokenHeader>
    ) throws(ServerTokenRefusal) {
        do throws(JWSProblem) {
            let parts = try JWSParts(text, bytesMax: ServerTokenHeader.jwsBytesMax)
            head = parts.head
            if let header = heads.verified(head) {
                jws = try CompactJWS(parts, header: header)
            } else {
                jws = try CompactJWS(parts)
            }
        } catch {
            throw ServerTokenRefusal(error.text)
        }
        guard let claims = JSONMembers<ServerTokenClaims>(jws.payload)?.value else {
            throw ServerTokenRefusal("the claims are not an object with aud, bid, exp and iss")
        }
        self.claims = claims
    }

    /// The app that it claims to be for.
    package var bundleID: String { claims.bid }

    /// Checks the signature and the claims against an app's keys, in real time.
    fileprivate func verify(
        _ ring: OfferKeyRing, at now: Timestamp, parsing: ([UInt8]) -> CurvePublicKey?
    ) throws(ServerTokenRefusal) -> VerifiedServerToken {
        let kid = jws.header.kid
        guard let key = ring.keys.first(where: { $0.id.isSameText(as: kid) && !$0.isRevoked }),
            let publicKey = parsing(key.publicKeyInfo)
        else { throw ServerTokenRefusal("the app has no valid key with the kid") }
        guard jws.isSigned(by: publicKey) else {
            throw ServerTokenRefusal("the signature does not match")
        }
        for (name, found, expected) in [
            ("aud", claims.aud, Self.audience), ("bid", claims.bid, ring.bundleID),
            // A UUID is the same in uppercase and lowercase.
            ("iss", claims.iss.lowercased(), ring.issuerID?.lowercased() ?? ""),
        ] where !found.isSameText(as: expected) || found.isEmpty {
            throw ServerTokenRefusal("\(name) is another one")
        }
        let expiresAt = try Self.time(claims.exp, "exp")
        let token = VerifiedServerToken(
            bundleID: claims.bid, key: key,
            usableUntil: expiresAt.adding(milliseconds: Self.skewMilliseconds))
        guard token.isUsable(at: now) else { throw ServerTokenRefusal("it has expired") }
        let begins = try claims.iat.map { iat throws(ServerTokenRefusal) in
            try Self.time(iat, "iat")
        }
        if let begins, begins > now.adding(milliseconds: Self.skewMilliseconds) {
            throw ServerTokenRefusal("iat is in the future")
        }
        // Without iat, it may have been made as long ago as clocks differ.
        let latest = begins ?? now.adding(milliseconds: Self.skewMilliseconds)
        guard expiresAt <= latest.adding(milliseconds: Self.millisecondsMax) else {
            throw ServerTokenRefusal("exp is more than an hour after iat")
        }
        return token
    }

    private static func time(
        _ seconds: Int64, _ name: String
    ) throws(ServerTokenRefusal) -> Timestamp {
        let (milliseconds, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000)
        let time = Timestamp(milliseconds: milliseconds)
        guard !isTooLarge, Timestamp.range.contains(time) else {
            throw ServerTokenRefusal("\(name) is not a time")
        }
        return time
    }
}

extension ServerToken {
    /// A new token, as an app's server signs one: good for five minutes from `now`, in real time.
    /// Different each time, as signatures of ECDSA are.
    package static func make(
        bundleID: String, issuerID: String, keyID: String, key: CurvePrivateKey, at now: Timestamp
    ) throws -> String {
        try CompactJWS.text(
            of: ServerTokenClaims(
                aud: audience, bid: bundleID, exp: now.seconds + 300, iat: now.seconds,
                iss: issuerID),
            header: ServerTokenHeader(alg: "ES256", kid: keyID, typ: "JWT"), signedBy: key)
    }
}

/// A token whose signature and claims were checked; its key can be revoked later.
package struct VerifiedServerToken: Hashable, Sendable {
    package let bundleID: String
    /// As it was when it was checked.
    package let key: OfferKey
    let usableUntil: Timestamp

    package func isUsable(at now: Timestamp) -> Bool { now < usableUntil }
}

/// Why a token is not accepted. The answer does not tell, but the store's log does.
package struct ServerTokenRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// Verifies tokens and remembers them, from any thread: servers use one for many requests, and
/// comparing it is cheaper than checking its signature.
package final class ServerTokens: Sendable {
    private let cache = VerificationCache<VerifiedServerToken>()
    /// By their SubjectPublicKeyInfo: checking a key takes longer than checking a signature.
    private let keys = VerificationCache<CurvePublicKey>()
    /// Headers by their text, which is the same in all tokens of a key and library.
    private let heads = VerificationCache<ServerTokenHeader>(countMax: 256)

    package init() {}

    /// Reads a token that is not known; it is still to be verified.
    package func read(_ text: String) throws(ServerTokenRefusal) -> ServerToken {
        try ServerToken(text, heads: heads)
    }

    /// A token that was verified before and has not expired.
    package func known(_ text: String, at now: Timestamp) -> VerifiedServerToken? {
        guard text.utf8.count <= ServerTokenHeader.jwsBytesMax,
            let known = cache.verified(Array(text.utf8)[...]), known.isUsable(at: now)
        else { return nil }
        return known
    }

    /// Checks a token against the keys of the app that it is for, in real time.
    package func verify(
        _ token: ServerToken, _ text: String, _ ring: OfferKeyRing, at now: Timestamp
    ) throws(ServerTokenRefusal) -> VerifiedServerToken {
        let verified = try token.verify(ring, at: now, parsing: publicKey)
        cache.add(verified, Array(text.utf8)[...])
        // Not before: strangers would fill it.
        heads.add(token.jws.header, token.head)
        return verified
    }

    private func publicKey(_ info: [UInt8]) -> CurvePublicKey? {
        if let known = keys.verified(info[...]) { return known }
        guard let key = CurvePublicKey(info: info) else { return nil }
        keys.add(key, info[...])
        return key
    }
}

/// Source: Apple, as above. `typ` is left out by some servers.
fileprivate struct ServerTokenHeader: JWSHeader {
    /// Real ones have about 400 bytes.
    static let jwsBytesMax = 8_192
    static let required = "alg and kid"

    let alg: String
    let kid: String
    let typ: String?

    func check() throws(JWSProblem) {
        guard typ.map({ $0.uppercased() == "JWT" }) ?? true else {
            throw JWSProblem("typ is not JWT")
        }
    }
}

private struct ServerTokenClaims: Codable {
    let aud: String
    let bid: String
    let exp: Int64
    let iat: Int64?
    let iss: String
}
