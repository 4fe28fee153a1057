import Foundation

/// A JWS in its compact form, as the store signed it: nothing in it is verified.
struct SignedText: Hashable, Sendable {
    /// One reference, since transactions carry it wherever they go.
    private final class Parts: Sendable {
        let text: String
        let payload: Data

        init(text: String, payload: Data) {
            self.text = text
            self.payload = payload
        }
    }

    private let parts: Parts

    /// Nil unless the text has three parts and the second one is base64url, which is all that a
    /// payload needs. Whether the rest can be read is for whoever verifies it.
    init?(_ text: String) {
        let texts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard texts.count == 3, let payload = Self.data(base64url: texts[1]) else { return nil }
        parts = Parts(text: text, payload: payload)
    }

    /// The compact form: three texts in base64url with dots between them.
    var text: String { parts.text }

    /// The header's bytes; empty when they are not in base64url.
    var header: Data { Self.data(base64url: texts[0]) ?? Data() }

    var payload: Data { parts.payload }

    /// The signature's bytes; empty when they are not in base64url.
    var signature: Data { Self.data(base64url: texts[2]) ?? Data() }

    /// The signed bytes: header and payload in base64url, with a dot between them.
    var signedBytes: Data { Data("\(texts[0]).\(texts[1])".utf8) }

    private var texts: [Substring] {
        parts.text.split(separator: ".", omittingEmptySubsequences: false)
    }

    static func == (one: SignedText, other: SignedText) -> Bool {
        one.parts === other.parts || one.parts.text == other.parts.text
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(parts.text)
    }

    /// Nil for other characters than the alphabet's, which has no padding.
    private static func data(base64url text: Substring) -> Data? {
        guard text.utf8.count % 4 != 1 else { return nil }
        var base64 = ""
        base64.reserveCapacity(text.utf8.count + 3)
        for character in text {
            switch character {
            case "-": base64.append("+")
            case "_": base64.append("/")
            case "+", "/", "=": return nil
            default: base64.append(character)
            }
        }
        base64 += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: base64)
    }
}
