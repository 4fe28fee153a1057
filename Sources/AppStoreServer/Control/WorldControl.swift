import StoreHTTP
import StoreLog
import StoreModel
import StoreSigning
import StoreWire

/// Makes, lists and deletes worlds; `/control/v1/worlds` stands at the root only.
enum WorldControl {
    static func list(_ worlds: WorldRegistry) throws -> HTTPResponse {
        .json(try WireJSON.encode(WorldsBody(worlds: try worlds.all().map { WorldBody($0) })))
    }

    static func make(
        _ request: HTTPRequest, _ worlds: WorldRegistry, log: Log
    ) throws -> HTTPResponse {
        let body =
            request.body.isEmpty
            ? MakeWorldBody(name: nil) : try request.decoded(MakeWorldBody.self)
        let text = body.name ?? "session-" + hexadecimal(randomBytes(6))
        guard let name = WorldName(text) else {
            throw Refusal(
                422, "badName",
                "A world's name has 1 to \(WorldName.lengthMax) small letters, digits and "
                    + "hyphens, with no hyphen at either end.")
        }
        let world = try worlds.make(name)
        log.event(StoreEvent.worldMade, ("world", .text(name.text)))
        return .json(try WireJSON.encode(WorldBody(world)), status: 201)
    }

    static func delete(_ text: String, _ worlds: WorldRegistry, log: Log) throws -> HTTPResponse {
        guard let name = WorldName(text) else {
            throw Refusal(404, "worldUnknown", "There is no world of that name.")
        }
        try worlds.delete(name)
        log.event(StoreEvent.worldDeleted, ("world", .text(name.text)))
        return HTTPResponse(status: 204)
    }
}

extension WorldBody {
    init(_ world: World) {
        self.init(
            name: world.name.text, id: world.id, path: world.isSession ? "/t/\(world.name)" : "",
            isSession: world.isSession)
    }
}
