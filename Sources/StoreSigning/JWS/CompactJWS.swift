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

/// The three parts of a JWS in its compact form, as they are written.
struct JWSParts: Sendable {
    let head: ArraySlice<UInt8>
    let payload: ArraySlice<UInt8>
    let signature: ArraySlice<UInt8>
    /// The bytes that the signature covers.
    let signedBytes: ArraySlice<UInt8>

    init(_ text: String, bytesMax: Int) throws(JWSProblem) {
        guard text.utf8.count <= bytesMax else {
            throw JWSProblem("it has more than \(bytesMax) bytes")
        }
        // As an array: splitting the text itself takes as long as checking the signature.
        let bytes = Array(text.utf8)
        guard let first = Self.dot(in: bytes, from: 0),
            let second = Self.dot(in: bytes, from: first + 1),
            Self.dot(in: bytes, from: second + 1) == nil
        else { throw JWSProblem("it does not have three parts") }
        head = bytes[..<first]
        payload = bytes[first + 1..<second]
        signature = bytes[(second + 1)...]
        signedBytes = bytes[..<second]
    }

    private static func dot(in bytes: [UInt8], from start: Int) -> Int? {
        unsafe bytes.withUnsafeBytes { all in
            guard let base = all.baseAddress, start < all.count,
                let found = unsafe memchr(base + start, 0x2E, all.count - start)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - base
        }
    }
}

/// A JWS in its compact form (RFC 7515), split into its parts; only `isSigned(by:)` establishes
/// trust.
///
/// Only ES256 is accepted: a header never decides how it is checked.
struct CompactJWS<Header: JWSHeader>: Sendable {
    let header: Header
    let payload: [UInt8]
    private let signedBytes: ArraySlice<UInt8>
    private let signature: CurveSignature

    init(_ text: String) throws(JWSProblem) {
        try self.init(try JWSParts(text, bytesMax: Header.jwsBytesMax))
    }

    init(_ parts: JWSParts) throws(JWSProblem) {
        try self.init(parts, header: try Self.header(parts.head))
    }

    /// `header` is that of the parts, which was read before.
    init(_ parts: JWSParts, header: Header) throws(JWSProblem) {
        guard let payload = StrictBase64.urlBytes(parts.payload),
            let last = StrictBase64.urlBytes(parts.signature)
        else { throw JWSProblem("a part is not in base64url") }
        guard let signature = CurveSignature(raw: last) else {
            throw JWSProblem("the signature does not have 64 bytes")
        }
        self.header = header
        self.payload = payload
        signedBytes = parts.signedBytes
        self.signature = signature
    }

    private static func header(_ text: ArraySlice<UInt8>) throws(JWSProblem) -> Header {
        guard let head = StrictBase64.urlBytes(text), !head.isEmpty else {
            throw JWSProblem("a part is not in base64url")
        }
        guard let header = JSONMembers<Header>(head) else {
            throw JWSProblem("the header is not an object with \(Header.required)")
        }
        guard header.value.alg == "ES256" else { throw JWSProblem("alg is not ES256") }
        try header.value.check()
        // A header's critical members must be understood or refused (RFC 7515, 4.1.11).
        guard header.names.isDisjoint(with: ["crit", "b64"]) else {
            throw JWSProblem("the header asks for an unsupported extension")
        }
        return header.value
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
        String(decoding: try JWSSeal.sealing(payload, head: head, with: key).jws, as: UTF8.self)
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
