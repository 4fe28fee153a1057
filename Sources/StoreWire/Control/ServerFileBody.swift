/// The file `server.json` in the data directory of a running store.
package struct ServerFileBody: Codable, Hashable, Sendable {
    package let url: String
    /// Where it speaks TLS; missing when it does not.
    package let tlsUrl: String?
    /// The address in its certificates, of a store.
    package let ocspUrl: String?
    package let processId: Int32

    package init(
        url: String, tlsUrl: String? = nil, ocspUrl: String? = nil, processId: Int32
    ) {
        self.url = url
        self.tlsUrl = tlsUrl
        self.ocspUrl = ocspUrl
        self.processId = processId
    }
}
