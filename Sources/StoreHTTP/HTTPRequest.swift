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

    package init(
        id: String = "test", method: String, path: String, segments: [String],
        query: [(name: String, value: String)] = [], headers: HTTPHeaders = HTTPHeaders(),
        body: [UInt8] = []
    ) {
        self.id = id
        self.method = method
        self.path = path
        self.segments = segments
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// The first value of a query item.
    package func queryValue(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }
}
