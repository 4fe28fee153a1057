import Foundation

/// What is wrong in a text that should be a JWS.
struct JWSProblem: Error, Hashable, Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}

/// The members of a JWS's header that one kind of JWS has.
protocol JWSHeader: Codable, Sendable {
    /// The longest JWS of this kind that is read, in bytes.
    static var jwsBytesMax: Int { get }
    /// The members that it must have, such as `alg and kid`.
    static var required: String { get }

    var alg: String { get }

    /// Refuses values that this kind does not have; `alg` is checked for every kind.
    func check() throws(JWSProblem)
}

/// A JWS in its compact form (RFC 7515), split into its parts; only `isSigned(by:)` establishes
/// trust.
///
/// Only ES256 is accepted: a header never decides how it is checked.
struct CompactJWS<Header: JWSHeader>: Sendable {
    let header: Header
    let payload: [UInt8]
    private let signedBytes: [UInt8]
    private let signature: CurveSignature

    init(_ text: String) throws(JWSProblem) {
        guard text.utf8.count <= Header.jwsBytesMax else {
            throw JWSProblem("it has more than \(Header.jwsBytesMax) bytes")
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw JWSProblem("it does not have three parts") }
        guard let head = StrictBase64.urlBytes(parts[0]), !head.isEmpty,
            let payload = StrictBase64.urlBytes(parts[1]),
            let last = StrictBase64.urlBytes(parts[2])
        else { throw JWSProblem("a part is not in base64url") }
        guard let header = JSONMembers<Header>(head) else {
            throw JWSProblem("the header is not an object with \(Header.required)")
        }
        guard header.value.alg == "ES256" else { throw JWSProblem("alg is not ES256") }
        try header.value.check()
        // A header's critical members must be understood or refused (RFC 7515, 4.1.11).
        guard header.names.isDisjoint(with: ["crit", "b64"]) else {
            throw JWSProblem("the header asks for an unsupported extension")
        }
        guard let signature = CurveSignature(raw: last) else {
            throw JWSProblem("the signature does not have 64 bytes")
        }
        self.header = header.value
        self.payload = payload
        signedBytes = Array(parts[0].utf8) + [UInt8(ascii: ".")] + Array(parts[1].utf8)
        self.signature = signature
    }

    func isSigned(by key: CurvePublicKey) -> Bool {
        key.isValid(signature, over: signedBytes)
    }

    /// Signs a payload; header and payload become JSON with their members sorted.
    static func text(
        of payload: some Encodable, header: Header, signedBy key: CurvePrivateKey
    ) throws -> String {
        try text(of: try json(payload), head: try head(header), signedBy: key)
    }

    /// Signs the bytes of a payload under a header that `head` wrote.
    static func text(
        of payload: [UInt8], head: String, signedBy key: CurvePrivateKey
    ) throws -> String {
        let text = head + "." + StrictBase64.urlText(payload)
        let signature = try key.signature(over: Array(text.utf8))
        return text + "." + StrictBase64.urlText(signature.raw)
    }

    /// A header in base64url.
    static func head(_ header: Header) throws -> String {
        StrictBase64.urlText(try json(header))
    }

    private static func json(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }
}
