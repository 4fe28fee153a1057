package import StoreService

/// Hosts whose paths continue a path of this store: a client that knows Apple's names alone then
/// finds an environment where it looks for it. Other hosts are all alike.
package struct HostPlaces: Sendable {
    private let folders: [RequestHost: [String]]

    /// The parts of a path, such as `["sandbox"]`, by its host.
    package init(_ folders: [RequestHost: [String]] = [:]) {
        self.folders = folders
    }

    /// The place of a path at the host that a request names in its `Host` header.
    func place(of path: [String], at host: String?) -> RoutePlace {
        guard !folders.isEmpty, let host = host.flatMap({ RequestHost(authority: $0[...]) }),
            let folder = folders[host]
        else { return RoutePlace(path) }
        return RoutePlace(folder + path)
    }
}
