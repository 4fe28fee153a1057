/// The address of a route, whatever the values in it, such as `/transactions/{id}/finish`: what can
/// be said of all requests to it is kept under this name.
package struct RoutePattern: Hashable, Sendable {
    /// As documents write it.
    package let text: String

    /// The pattern of a path as routes write it, such as `/transactions/:id/finish`.
    package init(_ path: String) {
        let parts = path.split(separator: "/").map {
            $0.hasPrefix(":") ? "{\($0.dropFirst())}" : String($0)
        }
        text = "/" + parts.joined(separator: "/")
    }
}
