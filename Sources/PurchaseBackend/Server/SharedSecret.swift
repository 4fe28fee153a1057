import Foundation
import StoreSigning

/// The app's shared secret, which a store requires for receipts with auto-renewable subscriptions;
/// only its length is printed.
package struct SharedSecret: Hashable, Sendable, CustomStringConvertible {
    /// Apple's have 32 hexadecimal digits; others are sent unchanged.
    static let bytesMax = 128

    /// The environment variable that holds one.
    package static let variable = "BODEGA_SHARED_SECRET"

    package let text: String

    /// Throws when it is empty, longer than `bytesMax`, or contains anything but visible ASCII.
    package init(_ text: String, from place: String) throws(BackendError) {
        guard (1...Self.bytesMax).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw BackendError(
                .badConfiguration,
                "\(place) does not hold a shared secret: it must be 1 to \(Self.bytesMax) visible "
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

    /// What the operator should do when the store refuses the secret (21004).
    static func advice(hasSecret: Bool) -> String {
        hasSecret
            ? "the store does not accept the shared secret (21004): put the app's current one into "
                + "the file of --shared-secret-file, or into \(variable), and start again"
            : "the store requires the app's shared secret (21004) and none is set: give "
                + "--shared-secret-file, or \(variable), and start again"
    }
}
