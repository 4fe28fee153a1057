import Foundation
import StoreVerification

/// A JWS in its compact form, as the store signed it: nothing in it is verified.
struct SignedText: Hashable, Sendable {
    /// One reference, since transactions carry it wherever they go.
    private final class Parts: Sendable {
        /// The header in base64url. Most of a text are the certificates in it, and texts under the
        /// same ones share it.
        let head: String
        /// What follows the header's dot.
        let rest: String
        /// How many letters of `rest` are the payload's.
        let payloadCount: Int

        init(head: String, rest: String, payloadCount: Int) {
            self.head = head
            self.rest = rest
            self.payloadCount = payloadCount
        }
    }

    private let parts: Parts

    /// Nil unless the text has three parts and the second one is base64url, which is all that a
    /// payload needs. Whether the rest can be read is for whoever verifies it.
    init?(_ text: String) {
        guard let dot = text.utf8.firstIndex(of: Self.dot) else { return nil }
        self.init(
            head: String(text[..<dot]), rest: String(text[text.utf8.index(after: dot)...]))
    }

    /// Payload and signature below a header in base64url. They may also have a header of their own,
    /// as texts of different answers do.
    init?(_ text: String, below header: String) {
        // One that is whole has two dots, and is not taken for what follows a header.
        if let below = SignedText(head: header, rest: text) {
            self = below
        } else {
            self.init(text)
        }
    }

    private init?(head: String, rest: String) {
        let letters = Array(rest.utf8)
        guard let dot = letters.firstIndex(of: Self.dot),
            !letters[(dot + 1)...].contains(Self.dot), StrictBase64.isURLText(letters[..<dot])
        else { return nil }
        parts = Parts(head: head, rest: rest, payloadCount: dot)
    }

    /// The header in base64url.
    var head: String { parts.head }

    /// Payload and signature in base64url, with a dot between them.
    var rest: String { parts.rest }

    /// The compact form: three texts in base64url with dots between them.
    var text: String { "\(parts.head).\(parts.rest)" }

    /// The compact form's letters, as bytes.
    var letters: [UInt8] {
        var letters: [UInt8] = []
        letters.reserveCapacity(parts.head.utf8.count + 1 + parts.rest.utf8.count)
        letters += parts.head.utf8
        letters.append(Self.dot)
        letters += parts.rest.utf8
        return letters
    }

    /// The header's bytes; empty when they are not in base64url.
    var header: Data { Self.data(base64url: Array(parts.head.utf8)[...]) ?? Data() }

    /// The payload's bytes. They are read each time: an app may have thousands of transactions, and
    /// asks for few of these.
    var payload: Data {
        Self.data(base64url: Array(parts.rest.utf8.prefix(parts.payloadCount))[...]) ?? Data()
    }

    /// The signature's bytes; empty when they are not in base64url.
    var signature: Data {
        let letters = letters
        return Self.data(base64url: letters[(Self.lastDot(in: letters) + 1)...]) ?? Data()
    }

    /// The signed bytes: header and payload in base64url, with a dot between them.
    var signedBytes: Data {
        let letters = letters
        return Data(letters[..<Self.lastDot(in: letters)])
    }

    private static let dot = UInt8(ascii: ".")

    private static func lastDot(in letters: [UInt8]) -> Int {
        letters.lastIndex(of: dot) ?? letters.startIndex
    }

    static func == (one: SignedText, other: SignedText) -> Bool {
        one.parts === other.parts
            || one.parts.rest == other.parts.rest && one.parts.head == other.parts.head
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(parts.rest)
    }

    /// Nil for other characters than the alphabet's, which has no padding.
    private static func data(base64url letters: ArraySlice<UInt8>) -> Data? {
        StrictBase64.usualLetters(ofURL: letters).flatMap { Data(base64Encoded: Data($0)) }
    }
}
