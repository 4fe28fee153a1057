import StoreModel
import StoreWire

/// The tags of a version of the app, as the store last listed them to this device.
///
/// Apple's apps carry theirs in their bundle.
struct ResourceManifest: Codable, Hashable, Sendable {
    /// The bytes of each.
    let tags: [String: Int64]
    /// Those that come with the app, and those that come after it, in order.
    let initial: [String]
    let prefetched: [String]
    /// Whether they have come.
    var isInstalled = false
    var isPrefetched = false

    init(_ body: ResourceListBody, after kept: ResourceManifest?) {
        tags = body.tags.reduce(into: [:]) { $0[$1.tag] = max(0, $1.contentLength) }
        initial = body.tags.filter { $0.kind == .initial }.map(\.tag)
        prefetched = body.tags.filter { $0.kind == .prefetch }.map(\.tag)
        // What the owner adds to a version later comes when an app asks for it.
        isInstalled = kept?.isInstalled ?? false
        isPrefetched = kept?.isPrefetched ?? false
    }
}
