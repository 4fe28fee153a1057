import Foundation

/// What is wrong in a text that should be a JWS.
struct JWSProblem: Error, Hashable, Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}

/// A JWS in its compact form (RFC 7515), split into its parts; only `isSigned(by:)` establishes
/// trust.
///
/// Only ES256 is accepted: a header never decides how it is checked.
struct CompactJWS: Sendable {
    /// The maximum length read; a JWS for an offer has about 600 bytes.
    static let bytesMax = 8_192

    private struct Header: Codable {
        let alg: String
        let kid: String
        let typ: String
    }

    let keyID: String
    let payload: [UInt8]
    private let signedBytes: [UInt8]
    private let signature: CurveSignature

    init(_ text: String) throws(JWSProblem) {
        guard text.utf8.count <= Self.bytesMax else {
            throw JWSProblem("it has more than \(Self.bytesMax) bytes")
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw JWSProblem("it does not have three parts") }
        guard let head = StrictBase64.urlBytes(parts[0]), !head.isEmpty,
            let payload = StrictBase64.urlBytes(parts[1]),
            let last = StrictBase64.urlBytes(parts[2])
        else { throw JWSProblem("a part is not in base64url") }
        guard let header = JSONMembers<Header>(head) else {
            throw JWSProblem("the header is not an object with alg, kid and typ")
        }
        guard header.value.alg == "ES256" else { throw JWSProblem("alg is not ES256") }
        guard header.value.typ == "JWT" else { throw JWSProblem("typ is not JWT") }
        // A header's critical members must be understood or refused (RFC 7515, 4.1.11).
        guard header.names.isDisjoint(with: ["crit", "b64"]) else {
            throw JWSProblem("the header asks for an unsupported extension")
        }
        guard let signature = CurveSignature(raw: last) else {
            throw JWSProblem("the signature does not have 64 bytes")
        }
        keyID = header.value.kid
        self.payload = payload
        signedBytes = Array(parts[0].utf8) + [UInt8(ascii: ".")] + Array(parts[1].utf8)
        self.signature = signature
    }

    func isSigned(by key: CurvePublicKey) -> Bool {
        key.isValid(signature, over: signedBytes)
    }

    /// Signs a payload, which becomes JSON with its members in order.
    static func text(
        of payload: some Encodable, keyID: String, signedBy key: CurvePrivateKey
    ) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let header = try encoder.encode(Header(alg: "ES256", kid: keyID, typ: "JWT"))
        let text =
            StrictBase64.urlText(Array(header)) + "."
            + StrictBase64.urlText(Array(try encoder.encode(payload)))
        let signature = try key.signature(over: Array(text.utf8))
        return text + "." + StrictBase64.urlText(signature.raw)
    }
}
