/// A second port of a listener, which speaks TLS 1.2 or 1.3 and otherwise does what the first does.
package struct TLSPort: Sendable {
    /// 0 selects a free one.
    package var port: Int
    /// Its share of the listener's connections; further clients wait until one leaves.
    package var connectionsMax: Int
    /// The private key, in PEM.
    package var key: [UInt8]
    /// The certificate, in PEM.
    package var certificate: [UInt8]

    /// GnuTLS's words for the versions and ciphers that are offered: those that encrypt and
    /// authenticate in one step.
    static let priorities =
        "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-CIPHER-ALL:+AES-128-GCM:+AES-256-GCM"
        + ":+CHACHA20-POLY1305"

    package init(port: Int = 0, connectionsMax: Int, key: [UInt8], certificate: [UInt8]) {
        self.port = port
        self.connectionsMax = connectionsMax
        self.key = key
        self.certificate = certificate
    }
}
