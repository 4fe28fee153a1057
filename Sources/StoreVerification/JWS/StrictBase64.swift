import COpenSSL
import Foundation

/// The bytes of a text in base64, in its one canonical form; nil for any other text.
package func base64Bytes(_ text: String) -> [UInt8]? { StrictBase64.bytes(text) }

/// Base64 in its one canonical form: no blanks, no bits left over.
///
/// Read by OpenSSL: Foundation does not read base64url.
package enum StrictBase64 {
    /// Reads the standard alphabet with padding; nil for anything else.
    package static func bytes(_ text: String) -> [UInt8]? { bytes(Array(text.utf8)) }

    /// Reads base64url without padding (RFC 7515, 2); nil for anything else.
    package static func urlBytes(_ text: String) -> [UInt8]? { urlBytes(Array(text.utf8)[...]) }

    /// The same of a text in ASCII.
    package static func urlBytes(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        usualLetters(ofURL: text).flatMap { bytes($0) }
    }

    /// A text in base64url in the letters of the standard alphabet, with padding; nil when it has
    /// letters that base64url has not.
    package static func usualLetters(ofURL text: ArraySlice<UInt8>) -> [UInt8]? {
        var letters = Array(text)
        for (place, letter) in letters.enumerated() {
            switch letter {
            case UInt8(ascii: "-"): letters[place] = UInt8(ascii: "+")
            case UInt8(ascii: "_"): letters[place] = UInt8(ascii: "/")
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: break
            }
        }
        while letters.count % 4 != 0 { letters.append(UInt8(ascii: "=")) }
        return letters
    }

    /// Whether letters are base64url without padding; bits may be left over.
    package static func isURLText(_ letters: ArraySlice<UInt8>) -> Bool {
        letters.count % 4 != 1
            && letters.allSatisfy { letter in
                switch letter {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    package static func text(_ bytes: [UInt8]) -> String {
        String(decoding: letters(bytes), as: UTF8.self)
    }

    /// Writes base64url, without padding.
    package static func urlText(_ bytes: [UInt8]) -> String {
        String(decoding: urlLetters(bytes), as: UTF8.self)
    }

    /// As `urlText`, in ASCII.
    package static func urlLetters(_ bytes: [UInt8]) -> [UInt8] {
        // Foundation knows this alphabet; with OpenSSL, replacing letters takes longer than all else.
        Array(Data(bytes).base64EncodedData(options: [.base64URLAlphabet, .omitPaddingCharacter]))
    }

    private static func letters(_ bytes: [UInt8]) -> [UInt8] {
        // OpenSSL ends it with a zero.
        let room = (bytes.count + 2) / 3 * 4 + 1
        return unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            count = unsafe Int(EVP_EncodeBlock(buffer.baseAddress, bytes, Int32(bytes.count)))
        }
    }

    private static func bytes(_ letters: [UInt8]) -> [UInt8]? {
        guard letters.count % 4 == 0 else { return nil }
        guard !letters.isEmpty else { return [] }
        let padding = letters.suffix(2).count { $0 == UInt8(ascii: "=") }
        let found = unsafe [UInt8](unsafeUninitializedCapacity: letters.count / 4 * 3) {
            buffer, count in
            let read = unsafe EVP_DecodeBlock(
                buffer.baseAddress, letters, Int32(letters.count))
            count = max(0, Int(read) - padding)
        }
        // OpenSSL passes over blanks, and over bits that are left over.
        return self.letters(found) == letters ? found : nil
    }
}
