import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreSigning
import StoreWire

/// Makes, lists and deletes worlds, with their snapshots, restores, resets and seeds. All of it is
/// at the root only.
enum WorldService {
    typealias RootCall = Call<StoreHandler>

    static func list(_ call: RootCall) throws -> WorldsBody {
        WorldsBody(worlds: try call.worlds.entries().map { WorldEntryBody($0) })
    }

    /// The first session waits for its keys.
    static func make(_ call: RootCall, _ body: MakeWorldBody?) throws -> WorldBody {
        let name = try checkedWorldName(body?.name ?? "session-" + hexadecimal(randomBytes(6)))
        let world = try call.worlds.make(name, sandboxName: body?.sandboxName ?? .sandbox)
        call.log.event(StoreEvent.worldMade, ("world", .text(name.text)))
        return WorldBody(world)
    }

    static func delete(_ call: RootCall) throws -> HTTPResponse {
        let name = try named(call)
        try call.worlds.delete(name)
        call.parts.inspector?.forget(name)
        call.log.event(StoreEvent.worldDeleted, ("world", .text(name.text)))
        return HTTPResponse(status: 204)
    }

    static func details(_ call: RootCall) throws -> WorldDetailsBody {
        let name = try named(call)
        guard let world = try call.worlds.world(name) else { throw Refusal.worldUnknown(name) }
        return try WorldDetailsBody(world)
    }

    /// Makes a world from the seed in the body; `?replace=true` replaces an existing one.
    static func seed(_ call: RootCall) throws -> HTTPResponse {
        let name = try checkedWorldName(call["name"])
        let isReplacing = try call.request.queryFlag("replace")
        let seed = try SeedReader.read(call.request.body, realNow: call.worlds.wall.now())
        let world = try call.worlds.seed(name, with: seed, replacing: isReplacing)
        call.log.event(StoreEvent.worldSeeded, ("world", .text(name.text)))
        return try .json(encoding: WorldDetailsBody(world), status: 201)
    }

    static func snapshots(_ call: RootCall) throws -> SnapshotsBody {
        let entries = try call.worlds.snapshots(of: named(call))
        return SnapshotsBody(snapshots: entries.map { SnapshotBody($0) })
    }

    static func snapshot(_ call: RootCall, _ body: MakeSnapshotBody?) throws -> SnapshotBody {
        let name = try named(call)
        let snapshot = try checkedWorldName(
            body?.name ?? "snapshot-" + hexadecimal(randomBytes(6)))
        let entry = try call.worlds.snapshot(name, as: snapshot)
        log(.worldSnapshot, snapshot, of: name, call)
        return SnapshotBody(entry)
    }

    static func deleteSnapshot(_ call: RootCall) throws -> HTTPResponse {
        let name = try named(call)
        guard let snapshot = WorldName(call["snapshot"]) else { throw Refusal.snapshotUnknown }
        try call.worlds.deleteSnapshot(snapshot, of: name)
        log(.snapshotDeleted, snapshot, of: name, call)
        return HTTPResponse(status: 204)
    }

    static func restore(_ call: RootCall, _ body: RestoreWorldBody) throws -> WorldDetailsBody {
        let name = try named(call)
        guard let snapshot = WorldName(body.snapshot) else { throw Refusal.snapshotUnknown }
        let world = try call.worlds.restore(name, from: snapshot)
        log(.worldRestored, snapshot, of: name, call)
        return try WorldDetailsBody(world)
    }

    static func reset(_ call: RootCall, _ body: ResetWorldBody) throws -> WorldDetailsBody {
        let name = try named(call)
        let world = try call.worlds.reset(name, keepingCatalogue: body.keepCatalogue)
        call.log.event(StoreEvent.worldReset, ("world", .text(name.text)))
        return try WorldDetailsBody(world)
    }

    private static func log(
        _ event: StoreEvent, _ snapshot: WorldName, of world: WorldName, _ call: RootCall
    ) {
        call.log.event(event, ("world", .text(world.text)), ("snapshot", .text(snapshot.text)))
    }

    /// The world of the path: an impossible name is an unknown one.
    private static func named(_ call: RootCall) throws -> WorldName {
        guard let name = WorldName(call["name"]) else {
            throw Refusal(404, "worldUnknown", "There is no world of that name.")
        }
        return name
    }
}

/// The name of a world or of a snapshot; 422 otherwise.
func checkedWorldName(_ text: String) throws -> WorldName {
    guard let name = WorldName(text) else {
        throw Refusal(
            422, "badName",
            "The name of a world or a snapshot must have 1 to \(WorldName.lengthMax) small "
                + "letters, digits and hyphens, without a hyphen at either end.")
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
            isSession: world.isSession, sandboxName: world.sandboxName)
    }
}

extension WorldDetailsBody {
    init(_ world: World) throws {
        let counts = try world.database.read {
            try $0.counts(of: ["app", "product", "account", "device", "store_transaction"])
        }
        self.init(
            name: world.name.text, id: world.id, path: world.isSession ? "/t/\(world.name)" : "",
            isSession: world.isSession, sandboxName: world.sandboxName, apps: counts["app"] ?? 0,
            products: counts["product"] ?? 0, accounts: counts["account"] ?? 0,
            devices: counts["device"] ?? 0, transactions: counts["store_transaction"] ?? 0)
    }
}
