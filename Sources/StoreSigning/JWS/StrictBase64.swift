import Foundation

/// Base64 in its one canonical form: no blanks, no bits left over.
enum StrictBase64 {
    /// Reads the standard alphabet with padding; nil for anything else.
    static func bytes(_ text: String) -> [UInt8]? {
        guard let data = Data(base64Encoded: text), data.base64EncodedString() == text else {
            return nil
        }
        return Array(data)
    }

    /// Reads base64url without padding (RFC 7515, 2); nil for anything else.
    static func urlBytes(_ text: some StringProtocol) -> [UInt8]? {
        guard !text.utf8.contains(where: { [0x2B, 0x2F, 0x3D].contains($0) }) else { return nil }
        let ordinary = text.replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        return bytes(ordinary + String(repeating: "=", count: (4 - ordinary.utf8.count % 4) % 4))
    }

    static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// Writes base64url, without padding.
    static func urlText(_ bytes: [UInt8]) -> String {
        text(bytes)
            .replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}
