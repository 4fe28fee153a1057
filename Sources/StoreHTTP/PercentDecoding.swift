/// Decodes percent-encoded bytes; nil when a `%` is not followed by two hexadecimal digits, or the
/// result is not UTF-8 or contains a control character.
///
/// `+` means a space in queries only (WHATWG URL, section 5.1).
func percentDecoded(_ bytes: ArraySlice<UInt8>, isPlusSpace: Bool = false) -> String? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
        var byte = bytes[index]
        if byte == UInt8(ascii: "%") {
            guard bytes.endIndex - index > 2, let high = hexDigit(bytes[index + 1]),
                let low = hexDigit(bytes[index + 2])
            else { return nil }
            byte = high << 4 | low
            index += 2
        } else if isPlusSpace, byte == UInt8(ascii: "+") {
            byte = UInt8(ascii: " ")
        }
        guard byte >= 0x20, byte != 0x7f else { return nil }
        decoded.append(byte)
        index += 1
    }
    // `String(validating:as:)` looks up its generic types at every call: for each part of each path.
    guard let text = try? UTF8Span(validating: decoded.span) else { return nil }
    return String(copying: text)
}

private func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
}
