import Foundation
import StoreSigning

/// The app's shared secret, which a store asks for with receipts that hold auto-renewable
/// subscriptions; printed, it only says how long it is.
package struct SharedSecret: Hashable, Sendable, CustomStringConvertible {
    /// Apple's have 32 hexadecimal digits; others are sent as they are.
    static let bytesMax = 128

    /// The environment variable that holds one.
    package static let variable = "BODEGA_SHARED_SECRET"

    package let text: String

    /// Throws when it is empty, longer than `bytesMax`, or has anything but visible ASCII in it.
    package init(_ text: String, from place: String) throws(BackendError) {
        guard (1...Self.bytesMax).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw BackendError(
                .badConfiguration,
                "\(place) holds no shared secret: it must be 1 to \(Self.bytesMax) visible "
                    + "ASCII characters without blanks")
        }
        self.text = text
    }

    /// Reads a file of one line; one that others may read is refused.
    package init(file path: String) throws(BackendError) {
        let file = URL(fileURLWithPath: path)
        let bytes: [UInt8]
        do {
            bytes = try KeyDirectory(path: file.deletingLastPathComponent().path)
                .read(file.lastPathComponent, isSecret: true)
        } catch {
            throw BackendError(.badConfiguration, "the shared secret cannot be used: \(error)")
        }
        let text = String(decoding: bytes, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        try self.init(text, from: "the file \(path)")
    }

    package var description: String { "<\(text.utf8.count) bytes>" }

    /// What a refusal of the secret (21004) means for whoever runs the backend.
    static func advice(hasSecret: Bool) -> String {
        hasSecret
            ? "the store does not accept the shared secret (21004): put the app's present one into "
                + "the file of --shared-secret-file, or into \(variable), and start again"
            : "the store asks for the app's shared secret (21004) and none is set: give "
                + "--shared-secret-file, or \(variable), and start again"
    }
}
