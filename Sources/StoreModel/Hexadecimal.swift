/// Bytes as two digits each, in lowercase.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    var letters: [UInt8] = []
    letters.reserveCapacity(2 * bytes.underestimatedCount)
    for byte in bytes {
        letters.append(digit(byte >> 4))
        letters.append(digit(byte & 0x0F))
    }
    return String(decoding: letters, as: UTF8.self)
}

/// The digit of a number below 16.
private func digit(_ number: UInt8) -> UInt8 {
    number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") + number - 10
}

/// Whether a text is a UUID, written as `1B4E28BA-2FA1-11D2-883F-0016D3CCA427` or in lowercase.
package func isUUID(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count == 36
        && bytes.enumerated().allSatisfy { index, byte in
            [8, 13, 18, 23].contains(index)
                ? byte == 0x2D
                : (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xDF)
        }
}
