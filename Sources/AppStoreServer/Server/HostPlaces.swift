package import StoreService

/// Hosts whose paths continue a path of this store: a client that knows Apple's names alone then
/// finds an environment where it looks for it. Other hosts are all alike.
package struct HostPlaces: Sendable {
    private let folders: [RequestHost: [String]]
    /// The first bytes of their names, in lowercase: most requests name another host, and reading
    /// that would take longer than finding their route.
    private let initials: Set<UInt8>

    /// The parts of a path, such as `["sandbox"]`, by its host, which has a name.
    package init(_ folders: [RequestHost: [String]] = [:]) {
        self.folders = folders
        initials = Set(
            folders.keys.compactMap { host in
                if case .name(let text) = host { text.utf8.first } else { nil }
            })
    }

    /// The place of a path at the host that a request names in its `Host` header.
    func place(of path: [String], at host: String?) -> RoutePlace {
        // A letter's bit 0x20 tells its case.
        guard let host, let initial = host.utf8.first, initials.contains(initial | 0x20),
            let known = RequestHost(authority: host[...]), let folder = folders[known]
        else { return RoutePlace(path) }
        return RoutePlace(folder + path)
    }
}
