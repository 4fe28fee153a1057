/// A request as the listener read it, within its limits.
package struct HTTPRequest: Sendable {
    /// Created by the listener, for the log and the `Request-Id` answer header.
    package let id: String
    package let method: String
    /// The path as sent, without the query, still percent-encoded.
    package let path: String
    /// The path's parts, decoded; `/a/b` has two.
    package let segments: [String]
    /// The query's items in order, decoded.
    package let query: [(name: String, value: String)]
    package let headers: HTTPHeaders
    package let body: [UInt8]
    package let peer: Peer

    package init(
        id: String = "test", method: String, path: String, segments: [String],
        query: [(name: String, value: String)] = [], headers: HTTPHeaders = HTTPHeaders(),
        body: [UInt8] = [], peer: Peer = Peer(connection: 0)
    ) {
        self.id = id
        self.peer = peer
        self.method = method
        self.path = path
        self.segments = segments
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// Whether the body's media type is `application/json`, with or without parameters.
    package var isDeclaredAsJSON: Bool {
        guard let type = headers["Content-Type"] else { return false }
        let media = type.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
        return isSameName(media, "application/json")
    }

    /// The first value of a query item.
    package func queryValue(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }
}
