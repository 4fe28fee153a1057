import Foundation

/// What is wrong in a text that should be a JWS.
package struct JWSProblem: Error, Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }
}

/// The members of a JWS's header that one kind of JWS has.
package protocol JWSHeader: Codable, Sendable {
    /// The longest JWS of this kind that is read, in bytes.
    static var jwsBytesMax: Int { get }
    /// The members that it must have, such as `alg and kid`.
    static var required: String { get }

    var alg: String { get }

    /// Refuses values that this kind does not have; `alg` is checked for every kind.
    func check() throws(JWSProblem)
}

/// The three parts of a JWS in its compact form, as they are written.
package struct JWSParts: Sendable {
    package let head: ArraySlice<UInt8>
    package let payload: ArraySlice<UInt8>
    package let signature: ArraySlice<UInt8>
    /// The bytes that the signature covers.
    package let signedBytes: ArraySlice<UInt8>

    package init(_ text: String, bytesMax: Int) throws(JWSProblem) {
        // As an array: splitting the text itself takes as long as checking the signature.
        try self.init(Array(text.utf8), bytesMax: bytesMax)
    }

    /// The same of a text in ASCII.
    package init(_ bytes: [UInt8], bytesMax: Int) throws(JWSProblem) {
        guard bytes.count <= bytesMax else {
            throw JWSProblem("it has more than \(bytesMax) bytes")
        }
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
package struct CompactJWS<Header: JWSHeader>: Sendable {
    package let header: Header
    package let payload: [UInt8]
    private let signedBytes: ArraySlice<UInt8>
    private let signature: CurveSignature

    package init(_ text: String) throws(JWSProblem) {
        try self.init(try JWSParts(text, bytesMax: Header.jwsBytesMax))
    }

    package init(_ parts: JWSParts) throws(JWSProblem) {
        try self.init(parts, header: try Self.header(parts.head))
    }

    /// `header` is that of the parts, which was read before.
    package init(_ parts: JWSParts, header: Header) throws(JWSProblem) {
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

    package func isSigned(by key: CurvePublicKey) -> Bool {
        key.isValid(signature, over: signedBytes)
    }
}
