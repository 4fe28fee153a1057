import StoreDatabase
import Dispatch
package import StoreHTTP
package import StoreLog
import StoreModel

/// Finds the world, the environment and the service of a request.
///
/// Paths: `/health`, `/ready`, `/control/v1/worlds`; then, for the default world at the root and
/// for a test session below `/t/{name}`: `/control/v1/…`, `/production/…` and `/sandbox/…`.
package final class StoreHandler: Sendable {
    private let worlds: WorldRegistry
    private let parts: StoreParts
    private let token: ControlToken
    private let log: Log

    package init(worlds: WorldRegistry, parts: StoreParts, token: ControlToken, log: Log) {
        self.worlds = worlds
        self.parts = parts
        self.token = token
        self.log = log
    }

    package func handle(_ request: HTTPRequest, _ responder: Responder) {
        do {
            try dispatch(request, responder)
        } catch {
            responder.send(Scene.response(for: error, log: log))
        }
    }

    private func dispatch(_ request: HTTPRequest, _ responder: Responder) throws {
        let segments = request.segments
        switch (segments.first, segments.count) {
        case ("health", 1): responder.send(.json(Array(#"{"status":"ok"}"#.utf8)))
        case ("ready", 1):
            _ = try worlds.defaultWorld.database.read { try $0.lastEventNumber() }
            responder.send(.json(Array(#"{"status":"ready"}"#.utf8)))
        case ("control", 3...) where segments[1] == "v1" && segments[2] == "worlds":
            try token.admit(request)
            try handleWorlds(request, Array(segments.dropFirst(3)), responder)
        case ("t", 3...):
            guard let name = WorldName(segments[1]), !name.isDefault,
                let world = try worlds.world(name)
            else { throw Refusal(404, "worldUnknown", "There is no world of that name.") }
            try dispatch(request, Array(segments.dropFirst(2)), in: world, responder)
        default:
            try dispatch(request, segments, in: worlds.defaultWorld, responder)
        }
    }

    private func handleWorlds(
        _ request: HTTPRequest, _ rest: [String], _ responder: Responder
    ) throws {
        switch (request.method, rest.count) {
        case ("GET", 1), ("HEAD", 1), ("PUT", 1), (_, 2...):
            WorldRoutes.upkeep.respond(
                to: request, segments: rest,
                context: WorldRoutes.Place(worlds: worlds, log: log), responder: responder)
        case ("GET", 0): responder.send(try WorldControl.list(worlds))
        case ("POST", 0):
            // Its first call waits for keys, which is not for the listener's threads.
            DispatchQueue.global().async { [worlds, log] in
                do {
                    responder.send(try WorldControl.make(request, worlds, log: log))
                } catch {
                    responder.send(Scene.response(for: error, log: log))
                }
            }
        case ("DELETE", 1):
            responder.send(try WorldControl.delete(rest[0], worlds, log: log))
        case (_, 0): responder.send(.methodNotAllowed(["GET", "POST"]))
        case (_, 1): responder.send(.methodNotAllowed(["DELETE", "GET", "HEAD", "PUT"]))
        default: throw Refusal.notFound
        }
    }

    private func dispatch(
        _ request: HTTPRequest, _ segments: [String], in world: World, _ responder: Responder
    ) throws {
        guard let first = segments.first else { throw Refusal.notFound }
        let rest = Array(segments.dropFirst())
        if first == "control", rest.first == "v1" {
            try token.admit(request)
            let scene = scene(request, world, nil)
            return StoreRoutes.control.respond(
                to: request, segments: Array(rest.dropFirst()), context: scene,
                responder: responder)
        }
        guard let environment = StoreEnvironment(rawValue: first) else { throw Refusal.notFound }
        let scene = scene(request, world, environment)
        if rest == ["verifyReceipt"] {
            return VerifyReceiptService.verify(request, scene, responder)
        }
        StoreRoutes.environment.respond(
            to: request, segments: rest, context: scene, responder: responder)
    }

    private func scene(
        _ request: HTTPRequest, _ world: World, _ environment: StoreEnvironment?
    ) -> Scene {
        var log = log.adding("request", .text(request.id))
        if world.isSession { log = log.adding("world", .text(world.name.text)) }
        return Scene(world: world, environment: environment, parts: parts, log: log)
    }
}
