import StoreModel

extension JSONParser {
    /// The text of a string whose opening quote is the current byte.
    mutating func parseString() throws(JSONParseError) -> String {
        let start = position
        position += 1
        var decoded: [UInt8] = []
        var copiedTo = position
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                let rest = bytes[copiedTo..<position]
                position += 1
                if decoded.isEmpty { return try validated(rest, from: start) }
                decoded.append(contentsOf: rest)
                return try validated(decoded[...], from: start)
            case UInt8(ascii: "\\"):
                decoded.append(contentsOf: bytes[copiedTo..<position])
                decoded.append(contentsOf: try parseEscape())
                copiedTo = position
            case 0..<0x20:
                throw failure("a string holds the byte 0x\(hexadecimal([byte])) without an escape")
            default: position = endOfPlainText(from: position)
            }
        }
        throw failure("a string has no closing quote", at: start)
    }

    /// Where a run of plain bytes ends: a receipt is one long run of them.
    private func endOfPlainText(from start: Int) -> Int {
        bytes[start...].firstIndex {
            $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 < 0x20
        } ?? bytes.count
    }

    /// The text of plain bytes; an escape cannot make them invalid, so an error is in the source.
    private func validated(
        _ text: ArraySlice<UInt8>, from start: Int
    ) throws(JSONParseError) -> String {
        if let string = String(validating: text, as: UTF8.self) { return string }
        let fault = firstInvalidUTF8(in: bytes[start..<position]) ?? start
        throw failure("the text is not valid UTF-8", at: fault)
    }

    /// The UTF-8 of the escape at the position.
    private mutating func parseEscape() throws(JSONParseError) -> [UInt8] {
        let start = position
        position += 1
        guard let letter = current else {
            throw failure("a string has no closing quote", at: start)
        }
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return try parseUnicodeEscape(from: start)
        default:
            position -= 1
            throw failure("expected an escape after \"\\\", found \(found)")
        }
    }

    private mutating func parseUnicodeEscape(from start: Int) throws(JSONParseError) -> [UInt8] {
        var code = try parseFourDigits()
        if (0xD800...0xDBFF).contains(code), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
            let low = try parseFourDigits()
            guard (0xDC00...0xDFFF).contains(low) else {
                throw failure("a surrogate lacks its other half", at: start)
            }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else {
            throw failure("a surrogate lacks its other half", at: start)
        }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func parseFourDigits() throws(JSONParseError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = hexadecimalDigit(byte) else {
                throw failure("expected four hexadecimal digits after \"\\u\", found \(found)")
            }
            code = code << 4 | digit
            position += 1
        }
        return code
    }
}

private func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46: UInt32(byte - 0x41 + 10)
    case 0x61...0x66: UInt32(byte - 0x61 + 10)
    default: nil
    }
}

/// The index of the first invalid byte of UTF-8, or nil when all are valid.
func firstInvalidUTF8(in bytes: ArraySlice<UInt8>) -> Int? {
    var start = bytes.startIndex
    while start < bytes.endIndex {
        let lead = bytes[start]
        let length =
            switch lead {
            case 0..<0x80: 1
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 0
            }
        let end = start + length
        guard length > 0, end <= bytes.endIndex,
            String(validating: bytes[start..<end], as: UTF8.self) != nil
        else { return start }
        start = end
    }
    return nil
}
