import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import AppStoreServer

/// Sessions keep their files open only while somebody uses them.
struct OpenWorldsTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func entries() async throws -> [WorldEntryBody] {
        let answer = try await store.control("GET", "/control/v1/worlds")
        return try WireJSON.decode(WorldsBody.self, from: answer.body).worlds
    }

    private func make(_ name: String) async throws {
        let answer = try await store.control(
            "POST", "/control/v1/worlds", body: MakeWorldBody(name: name))
        try #require(answer.status == 201)
    }

    /// Closes every session: the thread that answered a request may hold its world a moment more.
    private func closeAll() async throws {
        let deadline = Date().addingTimeInterval(120)
        while !store.registry.openSessions().isEmpty, Date() < deadline {
            store.registry.closeIdle(milliseconds: 0)
            await Task.yield()
        }
        try #require(store.registry.openSessions().isEmpty)
    }

    @Test func `listing the sessions opens none of them`() async throws {
        try await make("one")
        #expect(try await entries().map(\.isOpen) == [true, true])
        try await closeAll()
        for _ in 0..<2 {
            let listed = try await entries()
            #expect(listed.map(\.name) == ["default", "one"])
            #expect(listed.map(\.isOpen) == [true, false])
            #expect(listed[1].id == nil)
            #expect(listed[1].bytes > 0)
            #expect(listed[1].path == "/t/one")
        }
    }

    @Test func `a closed session reopens unchanged`() async throws {
        try await make("one")
        try await store.stock(world: "/t/one")
        let token = try await store.signIn(in: "/t/one/sandbox")
        let sold = try await store.buy(Samples.fuel, token: token, in: "/t/one/sandbox")
        let receipt = try await store.receipt(token: token, in: "/t/one/sandbox")
        _ = try await store.control(
            "PUT", "/t/one/control/v1/clock",
            body: ClockBody(mode: .held, now: Timestamp(seconds: 1_900_000_000)))
        try await closeAll()
        #expect(try await store.receipt(token: token, in: "/t/one/sandbox") == receipt)
        let clock = try await store.control("GET", "/t/one/control/v1/clock")
        #expect(
            try WireJSON.decode(ClockBody.self, from: clock.body).now
                == Timestamp(seconds: 1_900_000_000))
        let next = try await store.buy(Samples.fuel, token: token, in: "/t/one/sandbox")
        let number = try #require(Int64(sold.transactionId))
        #expect(next.transactionId == "\(number + 1)")
    }

    @Test func `a session with a waiting poll stays open`() async throws {
        try await make("one")
        try await store.stock(world: "/t/one")
        let token = try await store.signIn(in: "/t/one/sandbox")
        async let poll = store.send(
            "GET", "/t/one/sandbox/device/v1/updates?after=0&wait=25", token: token)
        while store.parts.polls.count == 0 { await Task.yield() }
        store.registry.closeIdle(milliseconds: 0)
        #expect(try await entries()[1].isOpen)
        _ = try await store.buy(Samples.fuel, token: token, in: "/t/one/sandbox")
        #expect(await poll.status == 200)
    }

    @Test func `a resting session answers, and a poll that waits in it hears the news`()
        async throws
    {
        try await make("one")
        try await store.stock(world: "/t/one")
        let token = try await store.signIn(in: "/t/one/sandbox")
        async let poll = store.send(
            "GET", "/t/one/sandbox/device/v1/updates?after=0&wait=25", token: token)
        while store.parts.polls.count == 0 { await Task.yield() }
        let name = try #require(WorldName("one"))
        let log = store.registry.files.path(name) + "-wal"
        let deadline = Date().addingTimeInterval(120)
        while FileManager.default.fileExists(atPath: log), Date() < deadline {
            store.registry.restIdle(milliseconds: 0)
            await Task.yield()
        }
        #expect(!FileManager.default.fileExists(atPath: log))
        _ = try await store.buy(Samples.fuel, token: token, in: "/t/one/sandbox")
        #expect(await poll.status == 200)
    }

    @Test func `all sessions but the last used are shrunk, once after each use`() throws {
        let folder = TemporaryFolder()
        let registry = try WorldRegistry(
            directory: folder.path, keys: try SharedKeys.store(),
            wall: WallClock { TestStore.start }, polls: Gate(limit: 1))
        defer { registry.close() }
        let names = (0..<5).compactMap { WorldName("w\($0)") }
        let ids = try names.map { try registry.make($0).id }
        #expect(registry.shrinkOld(warmMax: 5) == 0)
        #expect(registry.shrinkOld(warmMax: 3) == 2)
        #expect(registry.shrinkOld(warmMax: 3) == 0)
        // The oldest is used, so that the third is no longer among the last three.
        #expect(try registry.world(names[0])?.id == ids[0])
        #expect(registry.shrinkOld(warmMax: 3) == 1)
        #expect(registry.shrinkOld(warmMax: 0) == 3)
        for (name, id) in zip(names, ids) {
            let world = try #require(try registry.world(name))
            #expect(try world.database.read { try $0.foundedWorld()?.id } == id)
        }
    }

    @Test func `files of sessions have small pages, that of the default world usual ones`()
        async throws
    {
        func pageBytes(_ name: String) throws -> [Int64]? {
            try store.registry.world(try #require(WorldName(name)))?.database.read {
                try $0.rows("PRAGMA page_size").map { $0.integer(0) }
            }
        }
        func reset(_ name: String) async throws {
            let answer = try await store.control(
                "POST", "/control/v1/worlds/\(name)/reset",
                body: ResetWorldBody(keepCatalogue: false))
            #expect(answer.status == 200)
        }
        try await make("one")
        #expect(try pageBytes("one") == [1_024])
        try await reset("one")
        #expect(try pageBytes("one") == [1_024])
        try await reset("default")
        #expect(try pageBytes("default") == [4_096])
    }

    @Test func `the number of open sessions is limited, yet all of them answer`() throws {
        let folder = TemporaryFolder()
        let registry = try WorldRegistry(
            directory: folder.path, keys: try SharedKeys.store(),
            wall: WallClock { TestStore.start }, polls: Gate(limit: 1), sessionsOpenMax: 3)
        defer { registry.close() }
        let names = (0..<8).compactMap { WorldName("w\($0)") }
        var ids: [WorldName: String] = [:]
        for name in names { ids[name] = try registry.make(name).id }
        #expect(registry.openSessions().count == 3)
        for name in names {
            #expect(try registry.world(name)?.id == ids[name])
            #expect(registry.openSessions().count == 3)
        }
        // Those in use stay open, however many they are.
        let used = try names.compactMap { try registry.world($0) }
        #expect(registry.openSessions().count == names.count)
        #expect(used.allSatisfy { !$0.isClosed })
    }

    @Test func `a closed database leaves only its own file behind`() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/w.sqlite"
        let database = try Database(
            path: path, durability: .full, schema: WorldSchema.current)
        _ = try database.read { try $0.row("SELECT 1") }
        #expect(database.close())
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["w.sqlite"])
    }
}
