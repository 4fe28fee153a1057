import Foundation
import StoreHTTP

/// Where the payment provider of real customers is; see `docs/payment-gateway.md`.
package struct PaymentGatewayConfiguration: Sendable {
    /// Begins with https://, or with http:// on this machine; without a slash at its end.
    package let url: String
    /// Sent as a bearer token; nil when the provider needs none.
    package let secret: String?
    /// A PEM file used instead of the system's authorities.
    package let certificateAuthorityFile: String?

    /// The longest secret.
    private static let secretBytesMax = 4_096

    /// Throws `StartFailure` for an address or a secret that cannot be used. The secret's file has
    /// one line, and only its owner may read it.
    package init(
        url: String, secretFile: String? = nil, certificateAuthorityFile: String? = nil
    ) throws {
        let lowered = url.lowercased()
        guard lowered.hasPrefix("http://") || lowered.hasPrefix("https://"),
            let parts = URLComponents(string: url), let host = parts.host, !host.isEmpty,
            parts.user == nil, parts.password == nil, !url.contains("?"), !url.contains("#"),
            url.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else {
            throw StartFailure(
                "\"\(url)\" cannot be a payment provider's address: give one such as "
                    + "https://payments.example.com/bodega, without a query or a user name")
        }
        guard lowered.hasPrefix("https://") || ListenerConfiguration.isLoopback(host) else {
            throw StartFailure(
                "\(url) uses plain HTTP beyond this machine, which anyone on the way can read and "
                    + "change: give an address that begins with https://")
        }
        if let file = certificateAuthorityFile,
            !FileManager.default.isReadableFile(atPath: file)
        {
            throw StartFailure("cannot read the certificate authorities in \(file)")
        }
        self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
        secret = try secretFile.map { try Self.secret(in: $0) }
        self.certificateAuthorityFile = certificateAuthorityFile
    }

    private static func secret(in path: String) throws -> String {
        let text = try secretText(
            in: path, refusal: "cannot use the payment provider's secret")
        guard (1...secretBytesMax).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else {
            throw StartFailure(
                "the file \(path) does not hold a secret: it must be one line of 1 to "
                    + "\(secretBytesMax) visible ASCII characters without blanks")
        }
        return text
    }
}
