import Dispatch
import StoreHTTP
import StoreModel
import StoreService

/// The sessions whose files are open, and the worlds under upkeep; used under the registry's lock
/// only.
struct OpenWorlds {
    var sessions: [WorldName: OpenSession] = [:]
    /// Worlds on which their owner is running a slow operation.
    var inUpkeep: Set<WorldName> = []
    var upkeepsBegun = 0
    /// Worlds whose file is being replaced; requests must be repeated later.
    var switching: Set<WorldName> = []
    var isClosed = false

    /// An open session, marked as just used.
    func session(_ name: WorldName) throws -> World? {
        guard !switching.contains(name) else { throw Refusal.worldBusy }
        guard let session = sessions[name] else { return nil }
        session.usedAt = DispatchTime.now().uptimeNanoseconds
        session.isShrunk = false
        return session.world
    }

    /// Sessions beyond the `warmMax` most recently used that were not shrunk since their last use; they
    /// count as shrunk now.
    func takeOld(warmMax: Int) -> [World] {
        // Sessions that are not shrunk were used later than all that are, so only they count.
        guard sessions.values.count(where: { !$0.isShrunk }) > warmMax else { return [] }
        return sessions.values.sorted { $0.usedAt > $1.usedAt }.dropFirst(warmMax)
            .filter { !$0.isShrunk }.map { session in
                session.isShrunk = true
                return session.world
            }
    }

    /// Makes room for one more: beyond `openMax`, those unused for longest close. Throws when
    /// `usedMax` are in use.
    mutating func makeRoom(openMax: Int, usedMax: Int) throws(Refusal) {
        if sessions.count >= openMax {
            let oldest = sessions.sorted { $0.value.usedAt < $1.value.usedAt }.map(\.key)
            for name in oldest where sessions.count >= openMax { closeIfIdle(name) }
        }
        guard sessions.count < usedMax else { throw .sessionsBusy }
    }

    mutating func add(_ world: World) -> World {
        sessions[world.name] = OpenSession(world)
        return world
    }

    /// Closes a session unless a request or a poll is using it: those hold the world.
    mutating func closeIfIdle(_ name: WorldName) {
        guard let session = sessions[name], isKnownUniquelyReferenced(&session.world) else {
            return
        }
        sessions[name] = nil
        session.world.close()
    }
}

/// A session whose file is open, used under the registry's lock only.
final class OpenSession {
    var world: World
    var usedAt: UInt64
    /// Whether it was told to free its memory since its last use.
    var isShrunk = false

    init(_ world: World) {
        self.world = world
        usedAt = DispatchTime.now().uptimeNanoseconds
    }
}

extension Refusal {
    static let sessionsBusy = Refusal(
        503, "sessionsBusy",
        "Too many test sessions are in use for the files that this store may have open; ask again "
            + "in a moment, or raise its limit (ulimit -n).", retryAfterSeconds: 1)

    static let worldBusy = Refusal(
        503, "worldBusy", "Another operation on this world is under way; ask again in a moment.",
        retryAfterSeconds: 1)
}
