import StoreModel

extension JSONParser {
    mutating func skipBlanks() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }

    /// Consumes a byte if it is the next one.
    mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    func failure(_ message: String, at offset: Int? = nil) -> JSONParseError {
        JSONParseError(
            message: message, place: TextPlace(offset: offset ?? position, in: bytes))
    }

    /// A description of the current position, for a sentence.
    var found: String {
        guard let byte = current else { return "the end of the text" }
        if (0x21...0x7E).contains(byte) {
            return byte == UInt8(ascii: "\"") ? "a string" : "\"\(UnicodeScalar(byte))\""
        }
        return byte < 0x80
            ? "the byte 0x\(hexadecimal([byte]))" : "a non-ASCII character"
    }

    /// A number as written: `-`, digits without a leading zero, a fraction, an exponent.
    mutating func parseNumber() throws(JSONParseError) -> String {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) {
            try takeDigits("after \"-\"")
        } else if let byte = current, isDigit(byte) {
            throw failure("a number has a leading zero", at: start)
        }
        if take(UInt8(ascii: ".")) { try takeDigits("after the point of a number") }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try takeDigits("in the exponent of a number")
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func takeDigits(_ place: String) throws(JSONParseError) {
        let start = position
        while let byte = current, isDigit(byte) { position += 1 }
        guard position > start else {
            throw failure("expected a digit \(place), found \(found)")
        }
    }
}

func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

/// A foreign text in a sentence of ours: in quotes, escaped, and cut when it is long.
func quoted(_ text: String) -> String {
    let shownMax = 60
    let shown = text.unicodeScalars.prefix(shownMax)
    let escaped = shown.map { $0.value < 0x20 || $0 == "\"" ? $0.escaped(asASCII: false) : "\($0)" }
    return "\"" + escaped.joined()
        + (text.unicodeScalars.count > shownMax ? "...\"" : "\"")
}
