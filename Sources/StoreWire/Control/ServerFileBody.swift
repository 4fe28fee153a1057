/// The file `server.json` in the data directory of a running store.
package struct ServerFileBody: Codable, Hashable, Sendable {
    package let url: String
    package let processId: Int32

    package init(url: String, processId: Int32) {
        self.url = url
        self.processId = processId
    }
}
