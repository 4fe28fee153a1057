import StoreDatabase
import Foundation
import StoreModel
import StoreSigning
import StoreVerification

/// What can be known about a receipt without reading it.
enum ReceiptShape {
    enum Style: String, ColumnValue {
        case unified
        /// Of one transaction, as in iOS 6: a property list, which begins with a brace.
        case transaction
    }

    static func style(_ bytes: [UInt8]) -> Style { bytes.first == 0x30 ? .unified : .transaction }

    /// Whether the bytes are one whole DER sequence, as every app receipt is, or the property list
    /// of a receipt in the iOS 6 style.
    ///
    /// A store that calls such a receipt malformed (21002) may be in trouble: the status is
    /// documented for both. For other bytes it can only mean malformed.
    static func isWhole(_ bytes: [UInt8]) -> Bool {
        bytes.first == 0x30 ? isWholeSequence(bytes) : isPropertyList(bytes)
    }

    /// X.690, sections 8.1.3.4 and 8.1.3.5: a length in one byte, or in as many as the first byte
    /// says.
    private static func isWholeSequence(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 2 else { return false }
        let first = Int(bytes[1])
        if first < 0x80 { return bytes.count == 2 + first }
        let count = first & 0x7F
        guard (1...4).contains(count), bytes.count > 2 + count else { return false }
        let length = bytes[2..<(2 + count)].reduce(0) { $0 << 8 | Int($1) }
        return bytes.count == 2 + count + length
    }

    private static func isPropertyList(_ bytes: [UInt8]) -> Bool {
        let blanks: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20]
        let text = bytes.drop { blanks.contains($0) }
        guard text.first == UInt8(ascii: "{"),
            let last = text.last(where: { !blanks.contains($0) })
        else { return false }
        return last == UInt8(ascii: "}")
    }
}

/// The bytes of a receipt written in base64; nil when it is not base64.
///
/// Line breaks and blanks are skipped and the URL-safe alphabet is accepted too, since apps send
/// both; anything else makes it invalid rather than another receipt.
func receiptBytes(_ text: String) -> [UInt8]? {
    var letters: [UInt8] = []
    letters.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
        switch byte {
        case 0x09, 0x0A, 0x0D, 0x20, 0x3D: continue
        case 0x2D: letters.append(0x2B)
        case 0x5F: letters.append(0x2F)
        default: letters.append(byte)
        }
    }
    guard !letters.isEmpty else { return nil }
    letters += [UInt8](repeating: 0x3D, count: (4 - letters.count % 4) % 4)
    return Data(base64Encoded: Data(letters)).map(Array.init)
}

/// The name of a receipt where its bytes do not belong.
package enum ReceiptDigest {
    /// The SHA-256, in hexadecimal digits, under which the backend keeps the receipt of a file:
    /// the receipt itself, or its base64 as apps send it. Nil when the file cannot be read or is
    /// longer than a receipt.
    package static func ofFile(_ path: String) -> String? {
        let file = URL(fileURLWithPath: path)
        guard let size = try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize,
            size <= BackendLimits.receiptTextMax, let data = try? Data(contentsOf: file)
        else { return nil }
        let bytes = Array(data)
        // A receipt in DER is not text, and a property list is not base64.
        let receipt = String(validating: bytes, as: UTF8.self).flatMap(receiptBytes)
        return hexadecimal(sha256(receipt ?? bytes))
    }

    /// Whether a text is such a name.
    package static func isOne(_ text: String) -> Bool { SubmissionFilter.digest(text) != nil }
}
