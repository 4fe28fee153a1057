package import StoreConsole
import StoreDatabase
package import StoreHTTP
package import StoreLog
import StoreModel
package import StoreService
import StoreWire

/// Finds the world and the table of a request's path; `StoreRoutes` does the rest.
package final class StoreHandler: ServiceContext {
    let worlds: WorldRegistry
    let log: Log
    let meters: StoreMeters
    let build: BuildInfo
    package let consoleSessions: ConsoleSessions
    package let consoleFiles: ConsoleFiles
    let parts: StoreParts
    private let token: ControlToken
    private let metricsToken: ControlToken?
    private let hosts: KnownHosts
    private let places: HostPlaces

    package init(
        worlds: WorldRegistry, parts: StoreParts, token: ControlToken, hosts: KnownHosts,
        places: HostPlaces = HostPlaces(), metricsToken: ControlToken? = nil,
        meters: StoreMeters = StoreMeters(), build: BuildInfo = BuildInfo(),
        consoleFiles: ConsoleFiles = ConsoleFiles(), log: Log
    ) {
        self.worlds = worlds
        self.parts = parts
        self.token = token
        self.hosts = hosts
        self.places = places
        self.metricsToken = metricsToken
        self.meters = meters
        self.build = build
        self.consoleFiles = consoleFiles
        consoleSessions = ConsoleSessions(
            of: .store, wall: worlds.wall, wrongToken: .controlTokenWrong,
            isOwnersToken: token.isToken, note: { StoreEvent.note($0, in: log) })
        self.log = log
    }

    package func handle(_ request: HTTPRequest, _ responder: Responder) {
        do {
            try dispatch(request, responder)
        } catch {
            responder.send(response(for: error))
        }
    }

    /// The sender of a request, by its token: the control token, or that of a device of its world on
    /// which an account is signed in. Anyone can register a device.
    package func sender(of request: HTTPRequest) -> BodySender {
        guard request.headers.bearerToken != nil else { return .stranger }
        do {
            let place = place(of: request)
            guard case .environment(let environment) = place.table else {
                try admit(request, at: place)
                return .owner
            }
            let world = try world(of: place)
            let account = try scene(request, world, environment).session(request).account
            guard let account else { return .stranger }
            return .account("\(world.name.text)/\(account.id.rawValue)")
        } catch {
            // Whatever is wrong is answered when the request has arrived.
            return .stranger
        }
    }

    /// The most bytes a body may have at an address.
    package func bodyBytesMax(method: String, host: String?, segments: [String]) -> Int {
        places.place(of: segments, at: host).bodyBytesMax(method: method)
    }

    /// The number of parts that a path is split into at most; nil for any.
    package func pathPartsMax(host: String?, path: String) -> Int? {
        // Shorter than every request to the responder.
        guard path.utf8.count > Self.ocspPathBytesMin else { return nil }
        let parts = path.split(separator: "/").map(String.init)
        return OCSPEndpoints.pathPartsMax(places.place(of: parts, at: host), of: parts.count)
    }

    private static let ocspPathBytesMin = 80

    private func place(of request: HTTPRequest) -> RoutePlace {
        places.place(of: request.segments, at: request.headers["Host"])
    }

    /// Shows the inspector a request that the listener answered itself.
    func note(_ record: AccessRecord) {
        guard let inspector = parts.inspector, let answer = record.ownAnswer else { return }
        let place = places.place(of: record.segments, at: record.host)
        let world = (try? world(of: place)) ?? worlds.defaultWorld
        inspector.keep(record, answer, at: place, in: world.name, worlds.wall.now())
    }

    private func world(of place: RoutePlace) throws -> World {
        guard let text = place.world else { return worlds.defaultWorld }
        guard let name = WorldName(text), !name.isDefault, let session = try worlds.world(name)
        else { throw Refusal(404, "worldUnknown", "There is no world of that name.") }
        return session
    }

    /// The place of a device that a request names in its body.
    func scene(
        of device: NewsWaitBody.Device, in name: WorldName, _ request: HTTPRequest
    ) throws -> Scene {
        guard let world = try worlds.world(name) else { throw Refusal.worldUnknown(name) }
        return scene(request, world, device.environment)
    }

    package func response(for error: any Error) -> HTTPResponse {
        Scene.response(for: error, log: log)
    }

    private func dispatch(_ request: HTTPRequest, _ responder: Responder) throws {
        let place = place(of: request)
        let watch = parts.inspector?.watch(request, at: place, worlds.wall.now(), responder)
        // Before the world is looked up: a foreign page must not learn which worlds there are.
        if place.table == .control { try hosts.admit(request) }
        let world = try world(of: place)
        watch?.enter(world)
        switch place.table {
        case .root:
            switch place.segments.first {
            case "control": try admit(request, at: place)
            case "console": try hosts.admit(request)
            case "metrics":
                let tokens = [metricsToken, token]
                try hosts.admitToMetrics(
                    request, hasToken: tokens.contains { $0?.opens(request) == true })
            default: break
            }
            StoreRoutes.root.respond(
                to: request, segments: place.segments, context: self, responder: responder,
                counts: meters.root)
        case .control:
            // The token is checked before the route: without it nobody learns which routes exist.
            try admit(request, at: place)
            StoreRoutes.control.respond(
                to: request, segments: place.segments, context: scene(request, world, nil, watch),
                responder: responder, counts: meters.control)
        case .environment(let environment):
            let scene = scene(request, world, environment, watch)
            let counts = meters.environment(environment)
            let answer: @Sendable () -> Void = {
                StoreRoutes.environment.respond(
                    to: request, segments: place.segments, context: scene, responder: responder,
                    counts: counts)
            }
            let isFaulty = RequestFaults.meet(
                request, place.segments, in: scene, responder, usual: answer)
            if !isFaulty { answer() }
        case nil: throw Refusal.notFound
        }
    }

    private func admit(_ request: HTTPRequest, at place: RoutePlace) throws {
        try hosts.admit(request)
        guard !token.opens(request) else { return }
        let isReading =
            request.method == "POST" && place.table == .control
            && place.segments == ReceiptEndpoints.explanation
        guard try consoleSessions.admit(request, isReading: isReading) else {
            throw Refusal.controlTokenWrong
        }
    }

    private func scene(
        _ request: HTTPRequest, _ world: World, _ environment: StoreEnvironment?,
        _ watch: RequestWatch? = nil
    ) -> Scene {
        var log = log.adding("request", .text(request.id))
        if world.isSession { log = log.adding("world", .text(world.name.text)) }
        if let watch { log = log.telling(watch.hear) }
        return Scene(
            world: world, environment: environment, parts: parts, content: worlds.content,
            log: log, watch: watch)
    }

    /// Answers a request at the root with the body's result, or with the response to its error.
    func answer(_ responder: Responder, _ body: () throws -> HTTPResponse) {
        do {
            responder.send(try body())
        } catch {
            responder.send(response(for: error))
        }
    }
}
