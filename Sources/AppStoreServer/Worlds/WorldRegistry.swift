import Foundation
package import StoreHTTP
package import StoreModel
package import StoreSigning
import Synchronization

/// The worlds of a data directory: the default one, and test sessions by name.
package final class WorldRegistry: Sendable {
    package let defaultWorld: World
    private let directory: String
    private let keys: KeyStore
    private let wall: WallClock
    private let polls: Gate
    private let sessionsMax: Int
    private let numberOffset: @Sendable () -> Int64
    private let sessions = Mutex<[WorldName: World]>([:])
    /// No poll waits any more; set under the lock of `sessions`.
    private let isEnding = Atomic<Bool>(false)

    /// Where a new world's transaction numbers begin within their range. At random, because apps
    /// and backends outlive a world and must not take the next one's purchases for its own.
    package static let randomOffset: @Sendable () -> Int64 = {
        .random(in: 0..<1_000_000_000_000_000)
    }

    /// Opens the default world below `directory`; sessions open when they are first asked for.
    package init(
        directory: String, keys: KeyStore, wall: WallClock, polls: Gate,
        sessionsMax: Int = Limits.sessionsMax,
        numberOffset: @escaping @Sendable () -> Int64 = WorldRegistry.randomOffset
    ) throws {
        self.directory = directory
        self.keys = keys
        self.wall = wall
        self.polls = polls
        self.sessionsMax = sessionsMax
        self.numberOffset = numberOffset
        try FileManager.default.createDirectory(
            atPath: directory + "/sessions", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        defaultWorld = try World(
            name: .default, path: Self.defaultPath(below: directory), keys: keys, wall: wall,
            polls: polls, numberOffset: numberOffset())
    }

    /// Where the default world's file stands.
    package static func defaultPath(below directory: String) -> String {
        directory + "/default.sqlite"
    }

    /// A world by its name; nil when there is none.
    package func world(_ name: WorldName) throws -> World? {
        if name.isDefault { return defaultWorld }
        if let open = sessions.withLock({ $0[name] }) { return open }
        guard FileManager.default.fileExists(atPath: path(name)) else { return nil }
        try keys.prepareTestChains()
        return try sessions.withLock { sessions in
            if let open = sessions[name] { return open }
            guard FileManager.default.fileExists(atPath: path(name)) else { return nil }
            let world = try open(name)
            sessions[name] = world
            return world
        }
    }

    /// Makes a test session; throws a refusal when the name is taken.
    ///
    /// The first one of a data directory waits for the test chains, a second or two, so this is
    /// not for the listener's threads.
    package func make(_ name: WorldName) throws -> World {
        try keys.prepareTestChains()
        return try sessions.withLock { sessions in
            guard !name.isDefault, sessions[name] == nil,
                !FileManager.default.fileExists(atPath: path(name))
            else { throw Refusal(409, "worldExists", "There is a world \(name) already.") }
            guard try names().count < sessionsMax else {
                throw Refusal(
                    409, "tooManyWorlds",
                    "There are \(sessionsMax) test sessions; delete some first.")
            }
            let world = try makeFile(name)
            sessions[name] = world
            return world
        }
    }

    /// Opens a new file; when that fails, on a full disk say, nothing of it stays behind.
    private func makeFile(_ name: WorldName) throws -> World {
        do {
            return try open(name)
        } catch {
            removeFiles(of: name)
            throw error
        }
    }

    private func removeFiles(of name: WorldName) {
        for ending in ["", "-wal", "-shm"] { unlink(path(name) + ending) }
    }

    /// Deletes a test session with all it holds; throws a refusal when there is none.
    package func delete(_ name: WorldName) throws {
        if name.isDefault {
            throw Refusal(
                409, "worldIsDefault",
                "The default world cannot be deleted; stop the store and remove its data directory."
            )
        }
        // The file goes first, under the lock: closing wakes polls whose clients ask again at
        // once, and none of them may find it.
        let world: World? = try sessions.withLock { sessions in
            guard FileManager.default.fileExists(atPath: path(name)) else {
                throw Refusal(404, "worldUnknown", "There is no world \(name).")
            }
            removeFiles(of: name)
            return sessions.removeValue(forKey: name)
        }
        world?.close()
    }

    /// Every world, the default one first.
    package func all() throws -> [World] {
        let sorted = try names().sorted { $0.text < $1.text }
        return [defaultWorld] + (try sorted.compactMap { try world($0) })
    }

    /// The sessions there are, open or not.
    private func names() throws -> [WorldName] {
        try FileManager.default.contentsOfDirectory(atPath: directory + "/sessions")
            .filter { $0.hasSuffix(".sqlite") }
            .compactMap { WorldName(String($0.dropLast(7))) }
    }

    /// Ends every waiting poll and takes no more, so that a stop need not wait for them: neither
    /// in the worlds that are open, nor in a session that is opened from now on.
    package func endPolls() {
        let open = sessions.withLock { sessions in
            isEnding.store(true, ordering: .relaxed)
            return Array(sessions.values)
        }
        for world in open + [defaultWorld] { world.updates.close() }
    }

    package func close() {
        let open = sessions.withLock { sessions in
            defer { sessions.removeAll() }
            return Array(sessions.values)
        }
        for world in open { world.close() }
        defaultWorld.close()
    }

    /// Called under the lock of `sessions`.
    private func open(_ name: WorldName) throws -> World {
        let world = try World(
            name: name, path: path(name), keys: keys, wall: wall, polls: polls,
            numberOffset: numberOffset())
        if isEnding.load(ordering: .relaxed) { world.updates.close() }
        return world
    }

    private func path(_ name: WorldName) -> String {
        "\(directory)/sessions/\(name).sqlite"
    }
}
