import Dispatch
import StoreHTTP
import StoreModel
import StoreService

/// The sessions whose files are open, and what is being done to which world; looked at and changed
/// under the registry's lock only.
struct OpenWorlds {
    var sessions: [WorldName: OpenSession] = [:]
    /// Worlds to which their owner is doing something that takes a while.
    var inUpkeep: Set<WorldName> = []
    var upkeepsBegun = 0
    /// Worlds whose file is being replaced; requests are asked to come again.
    var switching: Set<WorldName> = []
    var isClosed = false

    /// An open session, used from now on.
    func session(_ name: WorldName) throws -> World? {
        guard !switching.contains(name) else { throw Refusal.worldBusy }
        guard let session = sessions[name] else { return nil }
        session.usedAt = DispatchTime.now().uptimeNanoseconds
        return session.world
    }

    /// Adds a session; beyond the number that may be open, those unused for longest close.
    mutating func add(_ world: World, openMax: Int) throws -> World {
        if sessions.count >= openMax {
            let oldest = sessions.sorted { $0.value.usedAt < $1.value.usedAt }.map(\.key)
            for name in oldest where sessions.count >= openMax { closeIfIdle(name) }
        }
        sessions[world.name] = OpenSession(world)
        return world
    }

    /// Closes a session unless a request or a poll is in it: those hold the world.
    mutating func closeIfIdle(_ name: WorldName) {
        guard let session = sessions[name], isKnownUniquelyReferenced(&session.world) else {
            return
        }
        sessions[name] = nil
        session.world.close()
    }
}

/// A session whose file is open, looked at under the registry's lock only.
final class OpenSession {
    var world: World
    var usedAt: UInt64

    init(_ world: World) {
        self.world = world
        usedAt = DispatchTime.now().uptimeNanoseconds
    }
}

extension Refusal {
    static let worldBusy = Refusal(
        503, "worldBusy", "Something else is being done to this world; ask again in a moment.",
        retryAfterSeconds: 1)
}
