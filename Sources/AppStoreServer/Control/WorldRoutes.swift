import StoreHTTP
import StoreLog

/// What the owner does to one world, below `/control/v1/worlds`.
enum WorldRoutes {
    /// What such a request works on.
    struct Place: Sendable {
        let worlds: WorldRegistry
        let log: Log
    }

    static func add(to router: inout Router<StoreHandler>) {
        add("GET", "", to: &router) { try WorldUpkeep.details($1.named("name"), $2) }
        add("PUT", "", bodyBytesMax: Limits.seedBodyMax, to: &router) {
            try WorldUpkeep.seed($0, $1.named("name"), $2)
        }
        add("GET", "/snapshots", to: &router) {
            try WorldUpkeep.snapshots($1.named("name"), $2)
        }
        add("POST", "/snapshots", to: &router) {
            try WorldUpkeep.snapshot($0, $1.named("name"), $2)
        }
        add("DELETE", "/snapshots/:snapshot", to: &router) {
            try WorldUpkeep.deleteSnapshot($1.named("snapshot"), of: $1.named("name"), $2)
        }
        add("POST", "/restore", to: &router) {
            try WorldUpkeep.restore($0, $1.named("name"), $2)
        }
        add("POST", "/reset", to: &router) { try WorldUpkeep.reset($0, $1.named("name"), $2) }
    }

    /// Its work runs off the listener's threads: a large world takes seconds to copy.
    private static func add(
        _ method: String, _ path: String, bodyBytesMax: Int? = nil,
        to router: inout Router<StoreHandler>,
        _ work: @escaping @Sendable (HTTPRequest, PathParameters, Place) throws -> HTTPResponse
    ) {
        router.add(method, "/control/v1/worlds/:name" + path, bodyBytesMax: bodyBytesMax) {
            request, parameters, store, responder in
            store.answerLater(responder) {
                try work(request, parameters, Place(worlds: store.worlds, log: store.log))
            }
        }
    }
}
