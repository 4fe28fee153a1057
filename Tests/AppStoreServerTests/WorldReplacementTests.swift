import StoreDatabase
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// What a world takes over from the one whose place it takes.
struct WorldReplacementTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
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

    private func number(_ transaction: TransactionBody) throws -> Int64 {
        try #require(Int64(transaction.transactionId))
    }

    /// Puts a seed in the place of a world, if there is one.
    private func seed(_ world: String, start: Int64) async throws {
        let answer = await store.send(
            "PUT", "/control/v1/worlds/\(world)?replace=true", token: TestStore.controlToken,
            body: Array(SeedTests.text(start: "\(start)").utf8))
        answer.expectStatus(201)
    }

    @Test(arguments: WorldUpkeepTests.kinds, ["restore", "reset", "reset all"])
    func `numbers go on above all that were given out, also before a seed`(
        world: (String, String), way: String
    ) async throws {
        let base = world.1 + "/sandbox"
        try await seed(world.0, start: 2_000_000_000_900_000)
        try await snapshot(world.0, "s").expectStatus(201)
        let early = try await store.signIn(in: base)
        let sold = try await store.buy(Samples.fuel, token: early, in: base)
        for start in [2_000_000_000_500_000, 2_000_000_000_400_000] as [Int64] {
            try await seed(world.0, start: start)
        }
        let middle = try await store.signIn(in: base)
        let low = try await store.buy(Samples.fuel, token: middle, in: base)
        #expect(low.transactionId == "2000000000400003", "a seed says its own numbers")
        switch way {
        case "restore": try await restore(world.0, "s").expectStatus(200)
        default:
            try await worlds(
                "POST", "/\(world.0)/reset", body: ResetWorldBody(keepCatalogue: way == "reset")
            ).expectStatus(200)
            try await store.stock(world: world.1)
        }
        let late = try await store.signIn(in: base)
        let next = try await store.buy(Samples.fuel, token: late, in: base)
        #expect(try number(next) == number(sold) + 1)
    }
}
