import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreSigning
import StoreWire

/// Snapshots, restores, resets and seeds of whole worlds.
enum WorldUpkeep {
    typealias Place = StoreHandler

    /// `GET /control/v1/worlds/{world}`
    static func details(_ text: String, _ place: Place) throws -> HTTPResponse {
        let name = try named(text)
        guard let world = try place.worlds.world(name) else { throw Refusal.worldUnknown(name) }
        return try answer(world)
    }

    /// `PUT /control/v1/worlds/{world}`: makes a world from the seed in the body;
    /// `?replace=true` puts it in the place of one that is there.
    static func seed(
        _ request: HTTPRequest, _ text: String, _ place: Place
    ) throws -> HTTPResponse {
        let name = try checkedWorldName(text)
        let isReplacing = try request.queryFlag("replace")
        let seed = try SeedReader.read(request.body, realNow: place.worlds.wall.now())
        let world = try place.worlds.seed(name, with: seed, replacing: isReplacing)
        place.log.event(StoreEvent.worldSeeded, ("world", .text(name.text)))
        return try answer(world, status: 201)
    }

    /// `GET /control/v1/worlds/{world}/snapshots`
    static func snapshots(_ text: String, _ place: Place) throws -> HTTPResponse {
        let entries = try place.worlds.snapshots(of: named(text))
        return .json(
            try WireJSON.encode(SnapshotsBody(snapshots: entries.map { SnapshotBody($0) })))
    }

    /// `POST /control/v1/worlds/{world}/snapshots`
    static func snapshot(
        _ request: HTTPRequest, _ text: String, _ place: Place
    ) throws -> HTTPResponse {
        let name = try named(text)
        let body =
            request.body.isEmpty
            ? MakeSnapshotBody(name: nil) : try request.decoded(MakeSnapshotBody.self)
        let snapshot = try checkedWorldName(
            body.name ?? "snapshot-" + hexadecimal(randomBytes(6)))
        let entry = try place.worlds.snapshot(name, as: snapshot)
        place.log.event(
            StoreEvent.worldSnapshot, ("world", .text(name.text)),
            ("snapshot", .text(snapshot.text)))
        return .json(try WireJSON.encode(SnapshotBody(entry)), status: 201)
    }

    /// `DELETE /control/v1/worlds/{world}/snapshots/{snapshot}`
    static func deleteSnapshot(
        _ snapshot: String, of text: String, _ place: Place
    ) throws -> HTTPResponse {
        let name = try named(text)
        guard let snapshot = WorldName(snapshot) else { throw Refusal.snapshotUnknown }
        try place.worlds.deleteSnapshot(snapshot, of: name)
        place.log.event(
            StoreEvent.snapshotDeleted, ("world", .text(name.text)),
            ("snapshot", .text(snapshot.text)))
        return HTTPResponse(status: 204)
    }

    /// `POST /control/v1/worlds/{world}/restore`
    static func restore(
        _ request: HTTPRequest, _ text: String, _ place: Place
    ) throws -> HTTPResponse {
        let name = try named(text)
        let body = try request.decoded(RestoreWorldBody.self)
        guard let snapshot = WorldName(body.snapshot) else { throw Refusal.snapshotUnknown }
        let world = try place.worlds.restore(name, from: snapshot)
        place.log.event(
            StoreEvent.worldRestored, ("world", .text(name.text)),
            ("snapshot", .text(snapshot.text)))
        return try answer(world)
    }

    /// `POST /control/v1/worlds/{world}/reset`
    static func reset(
        _ request: HTTPRequest, _ text: String, _ place: Place
    ) throws -> HTTPResponse {
        let name = try named(text)
        let body = try request.decoded(ResetWorldBody.self)
        let world = try place.worlds.reset(name, keepingCatalogue: body.keepCatalogue)
        place.log.event(StoreEvent.worldReset, ("world", .text(name.text)))
        return try answer(world)
    }

    /// A name in a path: one that no world can have is one that no world has.
    private static func named(_ text: String) throws -> WorldName {
        guard let name = WorldName(text) else {
            throw Refusal(404, "worldUnknown", "There is no world of that name.")
        }
        return name
    }

    private static func answer(_ world: World, status: Int = 200) throws -> HTTPResponse {
        let counts = try world.database.read {
            try $0.counts(of: ["app", "product", "account", "device", "store_transaction"])
        }
        let body = WorldDetailsBody(
            name: world.name.text, id: world.id, path: world.isSession ? "/t/\(world.name)" : "",
            isSession: world.isSession, apps: counts["app"] ?? 0,
            products: counts["product"] ?? 0, accounts: counts["account"] ?? 0,
            devices: counts["device"] ?? 0, transactions: counts["store_transaction"] ?? 0)
        return .json(try WireJSON.encode(body), status: status)
    }
}
