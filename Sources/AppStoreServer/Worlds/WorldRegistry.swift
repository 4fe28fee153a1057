import Dispatch
import Foundation
package import StoreCaller
import StoreDatabase
package import StoreHTTP
package import StoreLog
package import StoreModel
import StoreService
package import StoreSigning
import Synchronization

/// The worlds of a data directory: the default one, and test sessions by name.
package final class WorldRegistry: Sendable {
    let files: WorldFiles
    let locks: NameLocks
    let keys: KeyStore
    let wall: WallClock
    let log: Log
    /// The bytes of all worlds' content.
    package let content: ContentStore
    let sweepsRegularly = Atomic<Bool>(false)
    let isSweepPromised = Atomic<Bool>(false)
    let numberOffset: @Sendable () -> Int64
    /// Makes the payment provider of the default world's real customers, each time it is opened.
    private let makeProvider: @Sendable () -> (any PaymentProvider)?
    private let polls: Gate
    /// Delivers the notifications of all worlds.
    private let caller: CallerLoop
    /// Stands in certificates.
    private let storeAddress: String
    private let meters: StoreMeters
    private let sessionsMax: Int
    private let sessionsOpenMax: Int
    private let sessionsUsedMax: Int
    private let base: Mutex<World>
    private let state = Mutex(OpenWorlds())
    /// Sessions that rested or shrank since free memory last went back to the system.
    private let freedCount = Atomic(0)
    /// The template of new sessions; made with the first one.
    private let template = Mutex<DatabaseTemplate?>(nil)
    /// Polls no longer wait; set under the lock of `state`.
    private let isEnding = Atomic<Bool>(false)

    /// Where a new world's transaction numbers begin within their range. Random, because apps and
    /// backends outlive a world and must not mistake the next one's purchases for its own.
    package static let randomOffset: @Sendable () -> Int64 = {
        .random(in: 0..<1_000_000_000_000_000)
    }

    /// Opens the default world below `directory`; sessions open on first use. Content is in a
    /// folder of that directory unless another is given. Beyond `sessionsOpenMax` open sessions,
    /// those that nobody uses close; beyond `sessionsUsedMax`, a further one is refused.
    package init(
        directory: String, contentDirectory: String? = nil, keys: KeyStore, wall: WallClock,
        polls: Gate,
        sessionsMax: Int = Limits.sessionsMax, sessionsOpenMax: Int = Limits.sessionsOpenMax,
        sessionsUsedMax: Int = .max,
        numberOffset: @escaping @Sendable () -> Int64 = WorldRegistry.randomOffset,
        makeProvider: @escaping @Sendable () -> (any PaymentProvider)? = { nil },
        caller: CallerLoop = .forNotifications(), storeAddress: String = usualStoreAddress,
        meters: StoreMeters = StoreMeters(), log: Log = .silent
    ) throws {
        self.log = log
        self.meters = meters
        self.storeAddress = storeAddress
        self.makeProvider = makeProvider
        files = WorldFiles(directory: directory)
        self.keys = keys
        self.wall = wall
        self.polls = polls
        self.caller = caller
        self.sessionsMax = sessionsMax
        self.sessionsOpenMax = sessionsOpenMax
        self.sessionsUsedMax = sessionsUsedMax
        self.numberOffset = numberOffset
        try files.prepare()
        locks = try files.locks()
        content = try ContentStore(directory: contentDirectory ?? directory + "/content")
        base = Mutex(
            try World(
                name: .default, path: files.path(.default), keys: keys, wall: wall,
                polls: polls, numberOffset: numberOffset(), provider: makeProvider(),
                caller: caller, storeAddress: storeAddress, meter: meters.commits, log: log))
    }

    /// The path of the default world's file.
    package static func defaultPath(below directory: String) -> String {
        WorldFiles.defaultPath(below: directory)
    }

    /// The default world. While it is being replaced this is the old one, which is closed and
    /// answers 503.
    package var defaultWorld: World {
        let world = base.withLock { $0 }
        guard world.isClosed else { return world }
        return state.withLock { state in
            guard !state.isClosed, !state.switching.contains(.default) else { return world }
            // It could not be opened when it was replaced; try again now.
            return base.withLock { world in
                if world.isClosed, let opened = try? open(.default) { world = opened }
                return world
            }
        }
    }

    /// A world by its name; nil when there is none.
    package func world(_ name: WorldName) throws -> World? {
        if name.isDefault { return defaultWorld }
        if let open = try state.withLock({ try $0.session(name) }) { return open }
        guard files.exists(files.path(name)) else { return nil }
        try keys.prepareTestChains()
        return try state.withLock { state in
            if let open = try state.session(name) { return open }
            guard !state.isClosed, files.exists(files.path(name)) else { return nil }
            try state.makeRoom(openMax: sessionsOpenMax, usedMax: sessionsUsedMax)
            return state.add(try open(name))
        }
    }

    /// Makes a test session; throws a refusal when the name is taken.
    ///
    /// The first one of a data directory waits for the test chains, a second or two, so this is
    /// not for the listener's threads.
    package func make(
        _ name: WorldName, sandboxName: SandboxName = .sandbox
    ) throws -> World {
        try keys.prepareTestChains()
        let template = try sessionTemplate()
        return try inUpkeep(of: name) {
            // Before its file is made: what is too much is refused early.
            try state.withLock { state in
                try state.makeRoom(openMax: sessionsOpenMax, usedMax: sessionsUsedMax)
            }
            try reserve(name, template)
            defer { state.withLock { _ = $0.switching.remove(name) } }
            do {
                return try admit(try open(name, sandboxName: sandboxName))
            } catch {
                // For example on a full disk: nothing of it remains.
                files.remove(name)
                throw error
            }
        }
    }

    /// Takes a free name by writing its file, which nobody opens before it is a world. Nothing
    /// slower happens under the lock: sessions are made in parallel and do not wait for each other.
    private func reserve(_ name: WorldName, _ template: DatabaseTemplate) throws {
        try state.withLock { state in
            try checkFree(name)
            // The remains of an interrupted deletion must not become part of the new session.
            files.remove(name)
            try template.write(to: files.path(name))
            state.switching.insert(name)
        }
    }

    /// Adds a session that was opened outside the lock.
    private func admit(_ world: World) throws -> World {
        do {
            return try state.withLock { state in
                guard !state.isClosed else { throw Refusal.busy }
                if isEnding.load(ordering: .relaxed) { world.endWaits() }
                try state.makeRoom(openMax: sessionsOpenMax, usedMax: sessionsUsedMax)
                return state.add(world)
            }
        } catch {
            world.close()
            throw error
        }
    }

    private func sessionTemplate() throws -> DatabaseTemplate {
        try template.withLock { template in
            if let template { return template }
            let made = try DatabaseTemplate(
                at: files.template, schema: WorldSchema.current)
            template = made
            return made
        }
    }

    /// Throws unless a session of that name can be made.
    func checkFree(_ name: WorldName) throws {
        guard !name.isDefault, !files.exists(files.path(name)) else {
            throw Refusal(409, "worldExists", "The name \(name) is taken; choose another.")
        }
        guard try files.sessionNames().count < sessionsMax else {
            throw Refusal(
                409, "tooManyWorlds", "There are \(sessionsMax) test sessions; delete some first.")
        }
    }

    /// Deletes a test session with all its data; throws a refusal when there is none.
    package func delete(_ name: WorldName) throws {
        if name.isDefault {
            throw Refusal(
                409, "worldIsDefault",
                "The default world cannot be deleted; reset it, or stop the store and remove its "
                    + "data directory.")
        }
        // The file goes first, under the lock: closing wakes polls whose clients ask again at
        // once, and none of them may find it.
        let world: World? = try state.withLock { state in
            guard !state.inUpkeep.contains(name) else { throw Refusal.worldBusy }
            guard files.exists(files.path(name)) else {
                throw Refusal(404, "worldUnknown", "There is no world named \(name).")
            }
            guard locks.take(name.text, .exclusive) else { throw Refusal.worldBusy }
            defer { locks.release(name.text) }
            files.remove(name)
            return state.sessions.removeValue(forKey: name)?.world
        }
        world?.close()
        sweepContentSoon()
    }

    /// The identifiers of the sessions that are open now.
    func openSessions() -> [WorldName: String] {
        state.withLock { $0.sessions.mapValues { $0.world.id } }
    }

    /// The number of open sessions, and the writes that wait in them.
    func openSessionWrites() -> (count: Int, waiting: Int) {
        state.withLock { state in
            let waiting = state.sessions.values.map { $0.world.database.waitingWrites }
            return (waiting.count, waiting.reduce(0, +))
        }
    }

    /// Closes the sessions that were not used for a while; they reopen on demand. One that a
    /// request or a poll is using stays open.
    package func closeIdle(milliseconds: Int = Limits.sessionIdleMilliseconds) {
        let now = DispatchTime.now().uptimeNanoseconds
        let span = UInt64(clamping: milliseconds) * 1_000_000
        state.withLock { state in
            for (name, session) in state.sessions where session.usedAt + span <= now {
                state.closeIfIdle(name)
            }
        }
    }

    /// Closes the connections of sessions that were not used for a moment, though somebody may wait
    /// for their news. Gives the number of those that had some.
    @discardableResult
    package func restIdle(milliseconds: Int = Limits.sessionRestMilliseconds) -> Int {
        let now = DispatchTime.now().uptimeNanoseconds
        let span = UInt64(clamping: milliseconds) * 1_000_000
        let idle = state.withLock { state in
            state.sessions.values.filter { $0.usedAt + span <= now }.map(\.world.database)
        }
        return idle.count { $0.rest() }
    }

    /// Frees most of the memory of all sessions but the most recently used ones, once after each use.
    /// Gives their number.
    @discardableResult
    package func shrinkOld(warmMax: Int = Limits.sessionsWarmMax) -> Int {
        let old = state.withLock { $0.takeOld(warmMax: warmMax).map(\.database) }
        freedCount.add(old.count { $0.shrink() }, ordering: .relaxed)
        return old.count
    }

    /// Rests, closes and shrinks sessions regularly, for as long as the registry exists.
    package func keepSessionsSmall() {
        closeIdleRegularly()
        shrinkOldRegularly()
    }

    private func closeIdleRegularly() {
        later(Limits.sessionRestMilliseconds / 2) { registry in
            // Most of what was freed since the last time has closed by now.
            if registry.freedCount.load(ordering: .relaxed) >= Limits.sessionsFreedMax {
                _ = registry.freedCount.exchange(0, ordering: .relaxed)
                giveBackMemory()
            }
            registry.freedCount.add(registry.restIdle(), ordering: .relaxed)
            registry.closeIdle()
            registry.closeIdleRegularly()
        }
    }

    private func shrinkOldRegularly() {
        let isCrowded = state.withLock { $0.sessions.count > Limits.sessionsWarmMax }
        later(isCrowded ? Limits.crowdShrinkMilliseconds : Limits.shrinkMilliseconds) { registry in
            registry.shrinkOld()
            registry.shrinkOldRegularly()
        }
    }

    private func later(_ milliseconds: Int, _ body: @escaping @Sendable (WorldRegistry) -> Void) {
        DispatchQueue.global(qos: .utility).asyncAfter(
            deadline: .now() + .milliseconds(milliseconds)
        ) { [weak self] in
            if let self { body(self) }
        }
    }

    /// Ends every waiting poll and refuses new ones, so that a stop need not wait for them, in open
    /// worlds and in sessions opened later.
    package func endPolls() {
        let open = state.withLock { state in
            isEnding.store(true, ordering: .relaxed)
            return state.sessions.values.map(\.world)
        }
        for world in open + [base.withLock { $0 }] { world.endWaits() }
    }

    package func close() {
        let open = state.withLock { state in
            state.isClosed = true
            defer { state.sessions.removeAll() }
            return state.sessions.values.map(\.world)
        }
        for world in open { world.close() }
        base.withLock { $0 }.close()
        caller.close()
    }

    /// Called under the lock of `state`, or while nobody else can open that world.
    private func open(
        _ name: WorldName, sandboxName: SandboxName = .sandbox
    ) throws -> World {
        let world = try World(
            name: name, path: files.path(name), keys: keys, wall: wall, polls: polls,
            numberOffset: numberOffset(), sandboxName: sandboxName,
            provider: name.isDefault ? makeProvider() : nil,
            caller: caller, storeAddress: storeAddress,
            meter: name.isDefault ? meters.commits : meters.sessionCommits, log: log)
        if isEnding.load(ordering: .relaxed) { world.endWaits() }
        return world
    }
}

// The registry's state that the upkeep of a world needs.
extension WorldRegistry {
    /// Runs an operation on one world exclusively: nobody else changes its files meanwhile, nor does
    /// a backup copy them.
    func inUpkeep<Value>(of name: WorldName, _ work: () throws -> Value) throws -> Value {
        try state.withLock { state in
            guard state.inUpkeep.insert(name).inserted else { throw Refusal.worldBusy }
            state.upkeepsBegun += 1
        }
        defer {
            state.withLock { _ = $0.inUpkeep.remove(name) }
            sweepContentSoon()
        }
        guard locks.take(name.text, .exclusive) else { throw Refusal.worldBusy }
        defer { locks.release(name.text) }
        return try work()
    }

    /// How many such operations were begun, and whether one is running.
    func upkeeps() -> (begun: Int, isRunning: Bool) {
        state.withLock { ($0.upkeepsBegun, !$0.inUpkeep.isEmpty) }
    }

    /// Runs a replacement of a world's file without admitting requests, and opens the file
    /// afterwards, whether that worked or not; that does not make a new world whose replacement
    /// failed.
    func switching(_ name: WorldName, _ work: () throws -> Void) throws -> World {
        state.withLock { state in
            state.switching.insert(name)
            state.sessions[name] = nil
        }
        defer { state.withLock { _ = $0.switching.remove(name) } }
        let outcome = Result { try work() }
        guard files.exists(files.path(name)) else {
            try outcome.get()
            throw Refusal.worldUnknown(name)
        }
        let opened = Result { try reopen(name) }
        try outcome.get()
        return try opened.get()
    }

    private func reopen(_ name: WorldName) throws -> World {
        let world = try open(name)
        if name.isDefault {
            base.withLock { $0 = world }
            return world
        }
        return try admit(world)
    }
}
