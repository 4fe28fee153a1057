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
        let texts = Self.split(text)
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
    var signedBytes: Data {
        Data(parts.text.utf8.prefix(texts[0].count + 1 + texts[1].count))
    }

    private var texts: [Substring.UTF8View] { Self.split(parts.text) }

    /// By bytes: most of a text are certificates, and characters are slow to find.
    private static func split(_ text: String) -> [Substring.UTF8View] {
        text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    }

    static func == (one: SignedText, other: SignedText) -> Bool {
        one.parts === other.parts || one.parts.text == other.parts.text
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(parts.text)
    }

    /// Nil for other characters than the alphabet's, which has no padding.
    private static func data(base64url text: Substring.UTF8View) -> Data? {
        var letters = Data(text)
        guard letters.count % 4 != 1 else { return nil }
        for (place, letter) in letters.enumerated() {
            switch letter {
            case UInt8(ascii: "-"): letters[place] = UInt8(ascii: "+")
            case UInt8(ascii: "_"): letters[place] = UInt8(ascii: "/")
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: break
            }
        }
        while letters.count % 4 != 0 { letters.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: letters)
    }
}
