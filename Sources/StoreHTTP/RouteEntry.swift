/// What a route answers to, as a row of a table.
package struct RouteEntry: Hashable, Sendable {
    package let method: String
    /// Such as `/transactions/:id/finish`.
    package let pattern: String
    /// Bytes a body may have; nil when the route has no limit of its own.
    package let bodyBytesMax: Int?

    package init(method: String, pattern: String, bodyBytesMax: Int?) {
        self.method = method
        self.pattern = pattern
        self.bodyBytesMax = bodyBytesMax
    }

    /// The same route of a table that stands below a path.
    package func below(_ path: String) -> RouteEntry {
        RouteEntry(method: method, pattern: path + pattern, bodyBytesMax: bodyBytesMax)
    }
}
