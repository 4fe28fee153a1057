import Foundation
import StoreModel
import StoreSigning

/// How a receipt is named where its bytes have no business.
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
        // A receipt in DER is no text, and a property list is no base64.
        let receipt = String(validating: bytes, as: UTF8.self).flatMap(receiptBytes)
        return hexadecimal(sha256(receipt ?? bytes))
    }

    /// Whether a text is such a name.
    package static func isOne(_ text: String) -> Bool { SubmissionFilter.digest(text) != nil }
}
