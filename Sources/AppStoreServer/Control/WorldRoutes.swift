import Dispatch
import StoreHTTP
import StoreLog

/// What the owner does to one world, below `/control/v1/worlds`.
enum WorldRoutes {
    /// Where such a request arrived.
    struct Place: Sendable {
        let worlds: WorldRegistry
        let log: Log
    }

    static let upkeep: Router<Place> = {
        var router = Router<Place>()
        router.add("GET", "/:world", away { try WorldUpkeep.details($1.named("world"), $2) })
        router.add("PUT", "/:world", away { try WorldUpkeep.seed($0, $1.named("world"), $2) })
        router.add(
            "GET", "/:world/snapshots", away { try WorldUpkeep.snapshots($1.named("world"), $2) })
        router.add(
            "POST", "/:world/snapshots",
            away { try WorldUpkeep.snapshot($0, $1.named("world"), $2) })
        router.add(
            "DELETE", "/:world/snapshots/:snapshot",
            away {
                try WorldUpkeep.deleteSnapshot($1.named("snapshot"), of: $1.named("world"), $2)
            })
        router.add(
            "POST", "/:world/restore", away { try WorldUpkeep.restore($0, $1.named("world"), $2) })
        router.add(
            "POST", "/:world/reset", away { try WorldUpkeep.reset($0, $1.named("world"), $2) })
        return router
    }()

    /// Runs off the listener's threads: a large world takes seconds to copy.
    private static func away(
        _ work: @escaping @Sendable (HTTPRequest, PathParameters, Place) throws -> HTTPResponse
    ) -> Router<Place>.Handler {
        { request, parameters, place, responder in
            DispatchQueue.global().async {
                do {
                    responder.send(try work(request, parameters, place))
                } catch {
                    responder.send(Scene.response(for: error, log: place.log))
                }
            }
        }
    }
}
