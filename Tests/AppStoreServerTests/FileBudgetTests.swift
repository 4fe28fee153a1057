import StoreHTTP
import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import AppStoreServer

/// How the files that a store may have open are divided.
struct FileBudgetTests {
    @Test(arguments: [
        (0, 0, 0), (256, 48, 12), (1_024, 240, 60), (4_096, 1_008, 252), (6_000, 1_024, 486),
        (1_000_000, 1_024, 124_736),
    ])
    func `connections and sessions get shares of the limit`(
        limit: Int, connections: Int, sessions: Int
    ) {
        let budget = FileBudget(limit: limit)
        #expect(budget.connections == connections)
        #expect(budget.sessions == sessions)
        #expect(budget.tlsConnections == connections / 4)
        #expect(64 + 2 * budget.connections + 8 * budget.sessions <= max(64, limit))
    }

    @Test func `polls leave half of the connections free at either port`() {
        let budget = FileBudget(limit: FileBudget.limitFull)
        #expect(2 * Limits.pollsOverTLSMax <= budget.tlsConnections)
        #expect(2 * Limits.pollsMax <= budget.connections)
        #expect(Limits.pollsMax < budget.connections - budget.tlsConnections)
    }

    @Test func `the full limit is the least that needs no smaller share`() {
        #expect(FileBudget(limit: FileBudget.limitFull).isFull)
        #expect(!FileBudget(limit: FileBudget.limitFull - 1).isFull)
    }

    @Test func `a session beyond those that may be in use is refused before it is made`() throws {
        let folder = TemporaryFolder()
        let registry = try WorldRegistry(
            directory: folder.path, keys: try SharedKeys.store(),
            wall: WallClock { TestStore.start }, polls: Gate(limit: 1), sessionsOpenMax: 2,
            sessionsUsedMax: 2)
        defer { registry.close() }
        func name(_ text: String) throws -> WorldName { try #require(WorldName(text)) }
        let first = try registry.make(try name("one"))
        let second = try registry.make(try name("two"))
        let refusal = #expect(throws: (any Error).self) {
            try registry.make(try name("three"))
        }
        #expect("\(try #require(refusal))".contains("sessionsBusy"))
        #expect(try registry.world(try name("three")) == nil, "its name is free")
        withExtendedLifetime((first, second)) {}
    }

    @Test func `a session that nobody uses makes room for another`() throws {
        let folder = TemporaryFolder()
        let registry = try WorldRegistry(
            directory: folder.path, keys: try SharedKeys.store(),
            wall: WallClock { TestStore.start }, polls: Gate(limit: 1), sessionsOpenMax: 2,
            sessionsUsedMax: 2)
        defer { registry.close() }
        for text in ["one", "two", "three"] {
            _ = try registry.make(try #require(WorldName(text)))
        }
        #expect(registry.openSessions().count == 2)
    }
}
