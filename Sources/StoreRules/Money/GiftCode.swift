/// A gift code: 20 letters and digits that encode 100 random bits.
///
/// The alphabet is Crockford's base 32, whose characters do not look alike, in groups of four:
/// `7KQM-0D3T-XW9A-5FGH-2RNZ`.
package struct GiftCode: Hashable, Sendable {
    /// The random bytes from which a code is made.
    package static let byteCount = 20

    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// Without hyphens, in uppercase.
    package let letters: String

    /// The code for random bytes; five bits of each are used.
    package init(bytes: [UInt8]) {
        precondition(bytes.count == Self.byteCount, "a gift code is made of 20 random bytes")
        letters = String(
            decoding: bytes.map { Self.alphabet[Int($0 & 31)] }, as: UTF8.self)
    }

    /// A code as typed: hyphens and blanks anywhere, lowercase letters, O for 0, I and L for 1. Nil
    /// for an invalid text.
    package init?(typed text: String) {
        guard text.utf8.count <= Self.typedBytesMax else { return nil }
        var letters: [UInt8] = []
        for byte in text.utf8 where byte != UInt8(ascii: "-") && byte != UInt8(ascii: " ") {
            guard let letter = Self.letter(byte) else { return nil }
            letters.append(letter)
        }
        guard letters.count == Self.byteCount else { return nil }
        self.letters = String(decoding: letters, as: UTF8.self)
    }

    /// The longest typed text in bytes, with room for blanks.
    package static let typedBytesMax = 64

    /// As it is shown.
    package var text: String {
        let all = Array(letters)
        return stride(from: 0, to: all.count, by: 4)
            .map { String(all[$0..<min($0 + 4, all.count)]) }.joined(separator: "-")
    }

    private static func letter(_ byte: UInt8) -> UInt8? {
        let capital = (0x61...0x7A).contains(byte) ? byte - 0x20 : byte
        switch capital {
        case UInt8(ascii: "O"): return UInt8(ascii: "0")
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return UInt8(ascii: "1")
        default: return alphabet.contains(capital) ? capital : nil
        }
    }
}
