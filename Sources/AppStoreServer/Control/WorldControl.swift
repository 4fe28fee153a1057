import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreSigning
import StoreWire

/// Makes, lists and deletes worlds; `/control/v1/worlds` stands at the root only.
enum WorldControl {
    static func list(_ worlds: WorldRegistry) throws -> HTTPResponse {
        .json(
            try WireJSON.encode(
                WorldsBody(worlds: try worlds.entries().map { WorldEntryBody($0) })))
    }

    static func make(
        _ request: HTTPRequest, _ worlds: WorldRegistry, log: Log
    ) throws -> HTTPResponse {
        let body =
            request.body.isEmpty
            ? MakeWorldBody(name: nil) : try request.decoded(MakeWorldBody.self)
        let text = body.name ?? "session-" + hexadecimal(randomBytes(6))
        let name = try checkedWorldName(text)
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

/// The name of a world or of a snapshot; 422 otherwise.
func checkedWorldName(_ text: String) throws -> WorldName {
    guard let name = WorldName(text) else {
        throw Refusal(
            422, "badName",
            "The name of a world or a snapshot has 1 to \(WorldName.lengthMax) small letters, "
                + "digits and hyphens, with no hyphen at either end.")
    }
    return name
}

extension WorldEntryBody {
    init(_ entry: WorldEntry) {
        self.init(
            name: entry.name.text, id: entry.id,
            path: entry.name.isDefault ? "" : "/t/\(entry.name)",
            isSession: !entry.name.isDefault, isOpen: entry.isOpen, bytes: entry.bytes,
            changedAt: entry.changedAt, snapshotCount: entry.snapshotCount)
    }
}

extension SnapshotBody {
    init(_ entry: SnapshotEntry) {
        self.init(name: entry.name.text, bytes: entry.bytes, createdAt: entry.createdAt)
    }
}

extension WorldBody {
    init(_ world: World) {
        self.init(
            name: world.name.text, id: world.id, path: world.isSession ? "/t/\(world.name)" : "",
            isSession: world.isSession)
    }
}
