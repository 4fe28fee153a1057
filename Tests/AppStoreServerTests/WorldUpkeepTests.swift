import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import AppStoreServer

struct WorldUpkeepTests {
    private let folder = TemporaryFolder()
    private let store: TestStore

    init() throws {
        store = try TestStore(folder: folder)
    }

    private func worlds(
        _ method: String, _ path: String, body: (any Encodable)? = nil
    ) async throws -> HTTPResponse {
        try await store.control(method, "/control/v1/worlds" + path, body: body)
    }

    private func snapshot(_ world: String, _ name: String) async throws -> HTTPResponse {
        try await worlds("POST", "/\(world)/snapshots", body: MakeSnapshotBody(name: name))
    }

    private func restore(_ world: String, _ name: String) async throws -> HTTPResponse {
        try await worlds("POST", "/\(world)/restore", body: RestoreWorldBody(snapshot: name))
    }

    private func details(_ world: String) async throws -> WorldDetailsBody {
        try WireJSON.decode(
            WorldDetailsBody.self, from: try await worlds("GET", "/\(world)").body)
    }

    private func number(_ transaction: TransactionBody) throws -> Int64 {
        try #require(Int64(transaction.transactionId))
    }

    /// The two kinds of world: where each stands.
    static let kinds = [("default", ""), ("one", "/t/one")]

    private func open(_ world: (String, String)) async throws {
        if world.0 != "default" {
            try await worlds("POST", "", body: MakeWorldBody(name: world.0)).expectStatus(201)
        }
        try await store.stock(world: world.1)
    }

    @Test(arguments: kinds)
    func `a restore brings the world back and keeps what outlives it apart`(
        world: (String, String)
    ) async throws {
        try await open(world)
        let base = world.1 + "/sandbox"
        let token = try await store.signIn(in: base)
        let first = try await store.buy(Samples.turbo, token: token, in: base)
        let early = try await store.receipt(token: token, in: base)
        let before = try await details(world.0)
        try await snapshot(world.0, "s").expectStatus(201)
        let second = try await store.buy(Samples.fuel, token: token, in: base)
        let late = try await store.receipt(token: token, in: base)
        #expect(try await store.verify(late, at: base)["status"]?.integer == 0)

        let answer = try await restore(world.0, "s")
        answer.expectStatus(200)
        let after = try WireJSON.decode(WorldDetailsBody.self, from: answer.body)
        #expect(after.id != before.id)
        #expect(after.transactions == 1 && after.accounts == 1 && after.products == 4)
        // The device must register again, and learns of the new identifier by that.
        let old = try await store.attempt(Samples.fuel, token: token, in: base)
        #expect(errorCode(old) == "tokenUnknown")
        // Receipts from before, also from before the snapshot, are another world's.
        for receipt in [early, late] {
            #expect(try await store.verify(receipt, at: base)["status"]?.integer == 21003)
        }
        let again = try await store.signIn(in: base)
        let fresh = try await store.verify(
            try await store.receipt(token: again, in: base), at: base)
        #expect(fresh["status"]?.integer == 0)
        let bought = fresh["receipt"]?["in_app"]?.array?
            .compactMap { $0["transaction_id"]?.string }
        #expect(bought == [first.transactionId])
        // A number that was given out is never given again.
        let third = try await store.buy(Samples.fuel, token: again, in: base)
        #expect(try number(third) > number(second))
    }

    @Test func `the same snapshot can be restored repeatedly`() async throws {
        try await store.stock()
        try await snapshot("default", "s").expectStatus(201)
        var ids: Set<String> = []
        var numbers: [String] = []
        for _ in 0..<3 {
            try await restore("default", "s").expectStatus(200)
            ids.insert(try await details("default").id)
            let token = try await store.signIn()
            numbers.append(try await store.buy(Samples.fuel, token: token).transactionId)
        }
        #expect(ids.count == 3)
        #expect(Set(numbers).count == 3)
    }

    @Test(arguments: kinds, [true, false])
    func `a reset leaves an empty world`(world: (String, String), keeps: Bool) async throws {
        try await open(world)
        let base = world.1 + "/sandbox"
        let token = try await store.signIn(in: base)
        let sold = try await store.buy(Samples.fuel, token: token, in: base)
        _ = try await store.control(
            "PUT", "\(world.1)/control/v1/clock",
            body: ClockBody(mode: .held, now: Timestamp(seconds: 1_900_000_000)))
        let before = try await details(world.0)
        let answer = try await worlds(
            "POST", "/\(world.0)/reset", body: ResetWorldBody(keepCatalogue: keeps))
        answer.expectStatus(200)
        let after = try WireJSON.decode(WorldDetailsBody.self, from: answer.body)
        #expect(after.id != before.id)
        #expect(after.apps == (keeps ? 1 : 0) && after.products == (keeps ? 4 : 0))
        #expect(after.accounts == 0 && after.devices == 0 && after.transactions == 0)
        let clock = try await store.control("GET", "\(world.1)/control/v1/clock")
        #expect(try WireJSON.decode(ClockBody.self, from: clock.body).mode == .real)
        try await store.stock(world: world.1)
        let again = try await store.signIn(in: base)
        let next = try await store.buy(Samples.fuel, token: again, in: base)
        #expect(try number(next) > number(sold))
    }

    @Test func `snapshots and a restored world survive a restart`() async throws {
        try await store.stock()
        try await snapshot("default", "s").expectStatus(201)
        try await restore("default", "s").expectStatus(200)
        let id = try await details("default").id
        store.registry.close()
        let next = try TestStore(folder: folder)
        #expect(next.registry.defaultWorld.id == id)
        let list = try await next.control("GET", "/control/v1/worlds/default/snapshots")
        let body = try WireJSON.decode(SnapshotsBody.self, from: list.body)
        #expect(body.snapshots.map(\.name) == ["s"])
        #expect(body.snapshots.allSatisfy { $0.bytes > 0 })
        next.registry.close()
    }

    @Test func `a snapshot taken while purchases run is consistent`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { [store] in
                    for _ in 0..<40 { _ = try await store.buy(Samples.fuel, token: token) }
                }
            }
            group.addTask {
                for number in 0..<4 {
                    try await snapshot("default", "s\(number)").expectStatus(201)
                }
            }
            try await group.waitForAll()
        }
        for number in 0..<4 {
            let reader = try DatabaseReader(
                path: folder.path + "/snapshots/default/s\(number).sqlite", isInUse: false)
            #expect(try reader.problems() == [])
            func count(_ sql: String) throws -> Int64? { try reader.rows(sql).first?.integer(0) }
            let sold = try count("SELECT count(*) FROM store_transaction")
            #expect(try count("SELECT count(*) FROM attempt WHERE state = 'done'") == sold)
            #expect(try count("SELECT count(*) FROM event") == sold)
            #expect(try count("SELECT coalesce(sum(revision), 0) FROM receipt_revision") == sold)
        }
    }

    @Test func `requests during a restore end cleanly`() async throws {
        try await store.stock()
        try await snapshot("default", "s").expectStatus(201)
        let tokens = Tokens(try await store.signIn())
        try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask { [store] in
                await store.send(
                    "GET", "/sandbox/device/v1/updates?after=0&wait=25", token: tokens.first
                ).status
            }
            for _ in 0..<80 {
                group.addTask { [store] in
                    try await store.attempt(Samples.fuel, token: tokens.first).status
                }
            }
            for _ in 0..<2 {
                group.addTask { try await restore("default", "s").status }
            }
            for try await status in group {
                #expect([200, 401, 503].contains(status))
            }
        }
        let token = try await store.signIn()
        #expect(try await store.attempt(Samples.fuel, token: token).status == 200)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/next")
        #expect(left == [])
    }

    private struct Tokens: Sendable {
        let first: String
        init(_ first: String) { self.first = first }
    }

    @Test func `a damaged snapshot is refused and the world goes on`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        try await snapshot("default", "s").expectStatus(201)
        let path = folder.path + "/snapshots/default/s.sqlite"
        let whole = try #require(FileManager.default.contents(atPath: path))
        for broken in [Data(), Data("no database".utf8), whole.prefix(whole.count / 2)] {
            try broken.write(to: URL(fileURLWithPath: path))
            let answer = try await restore("default", "s")
            #expect(errorCode(answer) == "snapshotDamaged")
            #expect(try await store.attempt(Samples.fuel, token: token).status == 200)
        }
    }

    @Test(arguments: [25, 9_999])
    func `a snapshot of another schema is refused and the world goes on`(number: Int) async throws {
        try await store.stock()
        let token = try await store.signIn()
        try await snapshot("default", "s").expectStatus(201)
        let path = folder.path + "/snapshots/default/s.sqlite"
        try FileManager.default.removeItem(atPath: path)
        try Database(
            path: path, durability: .full,
            schema: Schema(oldest: number, tables: WorldSchema.current.tables, migrations: [])
        ).close()
        let answer = try await restore("default", "s")
        #expect(errorCode(answer) == "snapshotDamaged")
        #expect(String(decoding: answer.body, as: UTF8.self).contains("schema \(number)"))
        #expect(try await store.attempt(Samples.fuel, token: token).status == 200)
    }

    @Test func `a failed file swap leaves the old world open`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let before = try await details("default").id
        try FileManager.default.removeItem(atPath: folder.path + "/next")
        try Data().write(to: URL(fileURLWithPath: folder.path + "/next"))
        let answer = try await worlds(
            "POST", "/default/reset", body: ResetWorldBody(keepCatalogue: true))
        #expect(answer.status == 503)
        #expect(try await details("default").id == before)
        #expect(try await store.attempt(Samples.fuel, token: token).status == 200)
    }

    @Test(arguments: [
        ("POST", "/absent/snapshots", "", 404, "worldUnknown"),
        ("POST", "/Bad/snapshots", "", 404, "worldUnknown"),
        ("POST", "/default/snapshots", #"{"name":"../x"}"#, 422, "badName"),
        ("POST", "/default/snapshots", #"{"name":""}"#, 422, "badName"),
        ("POST", "/default/snapshots", #"{"name":7}"#, 400, "badBody"),
        ("POST", "/default/snapshots", #"{"name":"s"}"#, 409, "snapshotExists"),
        ("GET", "/absent/snapshots", "", 404, "worldUnknown"),
        ("DELETE", "/default/snapshots/absent", "", 404, "snapshotUnknown"),
        ("DELETE", "/default/snapshots/Bad", "", 404, "snapshotUnknown"),
        ("DELETE", "/default/snapshots", "", 405, "methodNotAllowed"),
        ("POST", "/default/restore", "", 400, "badBody"),
        ("POST", "/default/restore", #"{"snapshot":"absent"}"#, 404, "snapshotUnknown"),
        ("POST", "/default/restore", #"{"snapshot":"../../default"}"#, 404, "snapshotUnknown"),
        ("POST", "/absent/restore", #"{"snapshot":"s"}"#, 404, "worldUnknown"),
        ("POST", "/default/reset", "", 400, "badBody"),
        ("POST", "/default/reset", #"{"keepCatalogue":"yes"}"#, 400, "badBody"),
        ("POST", "/absent/reset", #"{"keepCatalogue":true}"#, 404, "worldUnknown"),
        ("GET", "/absent", "", 404, "worldUnknown"), ("GET", "/Bad", "", 404, "worldUnknown"),
        ("POST", "/default", "", 405, "methodNotAllowed"),
        ("GET", "/default/nothing", "", 404, "notFound"),
    ])
    func `a refused world operation changes nothing`(
        method: String, path: String, body: String, status: Int, code: String
    ) async throws {
        try await store.stock()
        let token = try await store.signIn()
        try await snapshot("default", "s").expectStatus(201)
        let answer = await store.send(
            method, "/control/v1/worlds\(path)", token: TestStore.controlToken,
            body: Array(body.utf8))
        answer.expectStatus(status)
        #expect(errorCode(answer) == code)
        #expect(try await store.attempt(Samples.fuel, token: token).status == 200)
    }

    @Test(arguments: [
        ("GET", "/default"), ("PUT", "/x"), ("GET", "/default/snapshots"),
        ("POST", "/default/snapshots"), ("DELETE", "/default/snapshots/s"),
        ("POST", "/default/restore"), ("POST", "/default/reset"),
    ])
    func `world upkeep accepts only the control token`(method: String, path: String) async {
        let answer = await store.send(method, "/control/v1/worlds\(path)", token: "wrong")
        #expect(answer.status == 401)
    }

    @Test func `snapshots are limited, listed, deleted and removed with their session`()
        async throws
    {
        try await open(Self.kinds[1])
        try await snapshot("one", "s0").expectStatus(201)
        let snapshots = folder.path + "/snapshots/one"
        for number in 1..<Limits.snapshotsMax {
            try FileManager.default.copyItem(
                atPath: "\(snapshots)/s0.sqlite", toPath: "\(snapshots)/s\(number).sqlite")
        }
        #expect(errorCode(try await snapshot("one", "more")) == "tooManySnapshots")
        try await worlds("DELETE", "/one/snapshots/s0").expectStatus(204)
        try await worlds("DELETE", "/one/snapshots/s0").expectStatus(404)
        try await snapshot("one", "more").expectStatus(201)
        try await worlds("DELETE", "/one").expectStatus(204)
        try await worlds("POST", "", body: MakeWorldBody(name: "one")).expectStatus(201)
        let list = try await worlds("GET", "/one/snapshots")
        #expect(try WireJSON.decode(SnapshotsBody.self, from: list.body).snapshots.isEmpty)
    }

    @Test func `a reset keeps nothing about accounts`() throws {
        let world = store.registry.defaultWorld
        let tables = try world.database.read { scope in
            try scope.rows("SELECT name FROM sqlite_schema WHERE type = 'table'").map { $0.text(0) }
        }
        #expect(Set(WorldSchema.historyTables).isSubset(of: tables))
        for table in tables where !WorldSchema.historyTables.contains(table) {
            let columns = try world.database.read { scope in
                try scope.rows("SELECT name FROM pragma_table_info('\(table)')").map { $0.text(0) }
            }
            for column in ["account_id", "device_id", "transaction_id"] {
                #expect(!columns.contains(column), "\(table) belongs to the history")
            }
        }
    }
}
