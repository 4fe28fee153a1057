/// Bytes as two digits each, in lowercase.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
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
