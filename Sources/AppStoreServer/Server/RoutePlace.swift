import StoreHTTP
import StoreModel

/// The table of `StoreRoutes` that a path belongs to, and the rest of the path. `HostPlaces` finds
/// that of a request.
struct RoutePlace: Hashable, Sendable {
    enum Table: Hashable, Sendable {
        case root
        case control
        case environment(StoreEnvironment)
    }

    /// The name in `/t/{name}`; nil for the default world.
    let world: String?
    /// Nil when no table begins like this.
    let table: Table?
    let segments: [String]

    init(_ path: [String]) {
        let isBelowWorld = path.first == "t" && path.count > 2
        world = isBelowWorld ? path[1] : nil
        let rest = isBelowWorld ? Array(path.dropFirst(2)) : path
        if !isBelowWorld, StoreRoutes.root.knows(rest) {
            (table, segments) = (.root, rest)
        } else if rest.starts(with: ["control", "v1"]) {
            (table, segments) = (.control, Array(rest.dropFirst(2)))
        } else {
            table = rest.first.flatMap(StoreEnvironment.init(rawValue:)).map { .environment($0) }
            segments = Array(rest.dropFirst())
        }
    }

    /// Nil outside the environments.
    var environment: StoreEnvironment? {
        if case .environment(let environment) = table { environment } else { nil }
    }

    /// The most bytes a body may have there.
    func bodyBytesMax(method: String) -> Int {
        let own =
            switch table {
            case .root: StoreRoutes.root.bodyBytesMax(method: method, segments: segments)
            case .control: StoreRoutes.control.bodyBytesMax(method: method, segments: segments)
            case .environment:
                StoreRoutes.environment.bodyBytesMax(method: method, segments: segments)
            case nil: nil as Int?
            }
        return own ?? Limits.bodyMax
    }
}
