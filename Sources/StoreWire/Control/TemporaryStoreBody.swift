/// The line that a store with a temporary folder prints when it is ready.
package struct TemporaryStoreBody: Codable, Hashable, Sendable {
    package let url: String
    /// Where it speaks TLS; missing when it does not.
    package let tlsUrl: String?
    package let processId: Int32
    /// The temporary folder, of which the store uses `data`; the rest is its owner's to use, and is
    /// removed as well.
    package let folder: String
    /// The store's data directory.
    package let data: String
    package let controlToken: String

    package init(
        url: String, tlsUrl: String?, processId: Int32, folder: String, data: String,
        controlToken: String
    ) {
        self.url = url
        self.tlsUrl = tlsUrl
        self.processId = processId
        self.folder = folder
        self.data = data
        self.controlToken = controlToken
    }
}
