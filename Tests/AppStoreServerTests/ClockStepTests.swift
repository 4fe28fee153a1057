import AppStoreServer
import StoreDatabase
import StoreModel
import StoreWire
import TestSupport
import Testing

/// The machine's clock jumps, forward and back: nothing recorded goes back, nobody is shut out.
struct ClockStepTests {
    private static let hour: Int64 = 3_600_000
    private static let year: Int64 = 365 * 24 * hour

    private func history(_ store: TestStore) throws -> [Int64] {
        try store.registry.defaultWorld.database.read {
            try $0.rows("SELECT at_ms FROM event ORDER BY number").map { $0.integer(0) }
        }
    }

    @Test(arguments: [hour, year])
    func `the history stays in order after the clock steps forward and back`(step: Int64)
        async throws
    {
        let store = try TestStore()
        try await store.stock()
        let token = try await store.signIn()
        var ids: [String] = []
        for delta in [0, step, 1_000, -step, -step, 500, 2 * step] {
            store.move(byMilliseconds: delta)
            // The same device goes on: a token outlasts either step.
            ids.append(try await store.buy(Samples.fuel, token: token).transactionId)
            _ = await store.send(
                "POST", "/sandbox/device/v1/transactions/\(ids[ids.count - 1])/finish",
                token: token)
        }
        let times = try history(store)
        #expect(times.count == 14)
        #expect(times == times.sorted())
        #expect(times.last == TestStore.start.milliseconds + step + 1_500)
        #expect(Set(ids).count == 7)
        #expect(ids == ids.sorted())
        let answer = try await store.verify(try await store.receipt(token: token))
        #expect(answer["status"]?.integer == 0)
    }

    @Test func `the recorded time holds after a restart with the clock set back`() async throws {
        let folder = TemporaryFolder()
        var store = try TestStore(folder: folder)
        try await store.stock()
        _ = try await store.buy(Samples.fuel, token: try await store.signIn())
        let before = try history(store)
        store.registry.close()
        store = try TestStore(
            folder: folder, at: TestStore.start.adding(milliseconds: -Self.year))
        _ = try await store.buy(Samples.fuel, token: try await store.signIn())
        let times = try history(store)
        #expect(times.count == 2)
        #expect(times == times.sorted())
        #expect(times.first == before.first)
    }

    @Test func `a token expired by a clock step works again when the clock steps back`()
        async throws
    {
        let store = try TestStore()
        try await store.stock()
        let token = try await store.signIn()
        store.move(byMilliseconds: 2 * Self.year)
        let refused = try await store.attempt(Samples.fuel, token: token)
        #expect(refused.status == 401)
        #expect(errorCode(refused) == "tokenUnknown")
        store.move(byMilliseconds: -2 * Self.year)
        #expect(try await store.attempt(Samples.fuel, token: token).status == 200)
    }

    @Test(arguments: [-year, -hour - 1, hour + 1, year])
    func `a clock step never lengthens a lock`(step: Int64) async throws {
        let store = try TestStore()
        try await store.stock()
        let token = try await store.register()
        func signIn(_ password: String) async throws -> Int {
            await store.send(
                "POST", "/sandbox/device/v1/sign-in", token: token,
                body: try WireJSON.encode(SignInBody(account: "buyer", password: password))
            ).status
        }
        for _ in 0..<5 { #expect(try await signIn("wrong-password") == 401) }
        #expect(try await signIn("rocket-fuel-1") == 423)
        store.move(byMilliseconds: step)
        #expect(try await signIn("rocket-fuel-1") == 200)
    }

    @Test func `a world with a held clock keeps its time whatever the machine's clock does`()
        async throws
    {
        let store = try TestStore()
        try await store.stock()
        let token = try await store.signIn()
        let held = await store.send(
            "PUT", "/control/v1/clock", token: TestStore.controlToken,
            body: Array(#"{"mode":"held"}"#.utf8))
        #expect(held.status == 200)
        for step in [0, Self.year, -2 * Self.year] {
            store.move(byMilliseconds: step)
            _ = try await store.buy(Samples.fuel, token: token)
        }
        #expect(Set(try history(store)) == [TestStore.start.milliseconds])
    }
}
