import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreWire
import Synchronization
import TestSupport
import Testing

@testable import AppStoreServer

/// Sessions that come and go while others are at work.
struct WorldRegistryTests {
    private let folder = TemporaryFolder()

    private func open() throws -> WorldRegistry {
        try WorldRegistry(
            directory: folder.path, keys: try SharedKeys.store(),
            wall: WallClock { TestStore.start }, polls: Gate(limit: 10))
    }

    @Test func `a session first opened during a stop takes no polls`() throws {
        let name = try #require(WorldName("late"))
        let first = try open()
        _ = try first.make(name)
        first.close()
        let registry = try open()
        defer { registry.close() }
        registry.endPolls()
        let world = try #require(try registry.world(name))
        let isWaiting = world.updates.wait(
            for: AccountID(1), device: DeviceID(1), seconds: 25
        ) {}
        #expect(!isWaiting)
        let isWaitingInDefault = registry.defaultWorld.updates.wait(
            for: AccountID(1), device: DeviceID(1), seconds: 25
        ) {}
        #expect(!isWaitingInDefault)
        for one in [world, registry.defaultWorld] {
            let pass = try #require(Gate(limit: 1).acquire())
            #expect(one.history.wait(seconds: 25, pass) {} == nil)
        }
    }

    @Test func `a reader of a deleted session never sees a new session of the same name`() throws {
        let registry = try open()
        defer { registry.close() }
        let name = try #require(WorldName("again"))
        let old = try registry.make(name)
        #expect(try old.database.read { try $0.row("SELECT id FROM world")?.text(0) } == old.id)
        // Its file is taken away as a deletion does, while a request still holds the world; the
        // readers it has by now are busy, so that it has to open another.
        let path = folder.path + "/sessions/again.sqlite"
        for ending in ["", "-wal", "-shm"] {
            try? FileManager.default.moveItem(
                atPath: path + ending, toPath: folder.path + "/gone" + ending)
        }
        let other = try open(at: path)
        defer { other.close() }
        #expect(other.id != old.id)
        func readWhileBusy(_ depth: Int) throws -> String? {
            try old.database.read { scope in
                if depth > 0 { return try readWhileBusy(depth - 1) }
                return try scope.row("SELECT id FROM world")?.text(0)
            }
        }
        #expect(try readWhileBusy(0) == old.id, "a reader that was open still sees its own file")
        #expect(throws: DatabaseError.self) { try readWhileBusy(1) }
        #expect(try other.database.read { try $0.row("SELECT id FROM world")?.text(0) } == other.id)
    }

    private func open(at path: String) throws -> World {
        try World(
            name: try #require(WorldName("again")), path: path, keys: try SharedKeys.store(),
            wall: WallClock { TestStore.start }, polls: Gate(limit: 10), numberOffset: 0)
    }

    @Test func `a session that failed to be created leaves no file and can be created later`()
        throws
    {
        let registry = try open()
        defer { registry.close() }
        let name = try #require(WorldName("blocked"))
        let path = folder.path + "/sessions/blocked.sqlite"
        // A folder where the write-ahead log belongs: the file is made, and then all fails.
        try FileManager.default.createDirectory(
            atPath: path + "-wal/in-the-way", withIntermediateDirectories: true)
        #expect(throws: DatabaseError.self) { try registry.make(name) }
        #expect(!FileManager.default.fileExists(atPath: path))
        try FileManager.default.removeItem(atPath: path + "-wal")
        #expect(try registry.make(name).name == name)
    }

    @Test func `sessions created concurrently are separate worlds within the limit`() throws {
        let registry = try WorldRegistry(
            directory: folder.path, keys: try SharedKeys.store(),
            wall: WallClock { TestStore.start }, polls: Gate(limit: 10), sessionsMax: 5)
        defer { registry.close() }
        let made = Mutex<[WorldName: String]>([:])
        let refused = Mutex<[Int]>([])
        DispatchQueue.concurrentPerform(iterations: 12) { index in
            guard let name = WorldName("side-\(index)") else { return }
            do {
                let world = try registry.make(name)
                made.withLock { $0[name] = world.id }
            } catch {
                refused.withLock { $0.append((error as? Refusal)?.status ?? 0) }
            }
        }
        let ids = made.withLock { $0 }
        #expect(ids.count == 5)
        #expect(Set(ids.values).count == 5)
        #expect(refused.withLock { $0 } == [Int](repeating: 409, count: 7))
        for (name, id) in ids { #expect(try registry.world(name)?.id == id) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/next") == [])
    }

    @Test func `of concurrent creations of one session name, one succeeds`() throws {
        let registry = try open()
        defer { registry.close() }
        let name = try #require(WorldName("one"))
        let made = Mutex<[String]>([])
        let codes = Mutex<Set<String>>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            do {
                let world = try registry.make(name)
                made.withLock { $0.append(world.id) }
            } catch {
                codes.withLock { _ = $0.insert((error as? Refusal)?.code ?? "\(error)") }
            }
        }
        let world = try #require(try registry.world(name))
        #expect(made.withLock { $0 } == [world.id])
        #expect(codes.withLock { $0.isSubset(of: ["worldExists", "worldBusy"]) })
    }

    @Test func `a new session has the same tables as the default world`() throws {
        let registry = try open()
        defer { registry.close() }
        func schema(of world: World) throws -> [String?] {
            try world.database.read { scope in
                try scope.rows(
                    "SELECT type || name || coalesce(sql, '') FROM sqlite_schema ORDER BY 1"
                ).map { $0.text(0) } + [try scope.row("PRAGMA journal_mode")?.text(0)]
            }
        }
        // The first makes the template, the second only copies it.
        for text in ["first", "second"] {
            let session = try registry.make(try #require(WorldName(text)))
            #expect(try schema(of: session) == schema(of: registry.defaultWorld))
        }
    }

    @Test func `sessions created and deleted under concurrent reads do no harm`() throws {
        let registry = try open()
        defer { registry.close() }
        let name = try #require(WorldName("busy"))
        let wrong = Mutex<[String]>([])
        let isOver = Mutex(false)
        let readers = DispatchGroup()
        for _ in 0..<3 {
            readers.enter()
            Thread.detachNewThread {
                while !isOver.withLock({ $0 }) {
                    guard let world = try? registry.world(name) else { continue }
                    let id = try? world.database.read {
                        try $0.row("SELECT id FROM world")?.text(0)
                    }
                    if let id, id != world.id { wrong.withLock { $0.append(id) } }
                }
                readers.leave()
            }
        }
        for _ in 0..<30 {
            _ = try? registry.make(name)
            try? registry.delete(name)
        }
        isOver.withLock { $0 = true }
        readers.wait()
        #expect(wrong.withLock { $0 } == [])
    }
}
