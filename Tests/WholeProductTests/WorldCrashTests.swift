import CrashPoints
import Foundation
import TestSupport
import Testing

/// Kills the store at each step of a snapshot, a restore and a reset: the next start finds the old
/// world or the new one, whole.
@Suite(.ownThreads) struct WorldCrashTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let point: CrashPoint
        /// Whether the new world is the one that stays.
        let isNew: Bool

        var testDescription: String { point.rawValue }
    }

    static let swaps = [
        Row(point: .storeWorldPrepared, isNew: false), Row(point: .storeWorldClosed, isNew: false),
        Row(point: .storeWorldReplaced, isNew: true),
    ]

    private func worldID(_ lab: Lab) throws -> String {
        try #require(
            try SQLiteFile(lab.storeFile).rows("SELECT id FROM world").first?.first)
    }

    private func restart(_ lab: Lab, at point: CrashPoint) throws {
        lab.store?.terminate()
        try lab.store?.wait()
        try lab.startStore(environment: ["BODEGA_CRASH_POINT": point.rawValue])
    }

    private func kill(_ lab: Lab, by command: [String], at point: CrashPoint) throws {
        try restart(lab, at: point)
        try lab.bodega(command, code: 1)
        #expect(try lab.store?.wait() == 128 + SIGKILL, "the point was not reached")
        try lab.startStore()
    }

    /// A lab with one purchase before the snapshot `s` and one after it.
    private func open() throws -> Lab {
        let lab = try Lab.open()
        try lab.app(["buy", Lab.fuel])
        try lab.bodega(["world", "snapshot", "default", "s"])
        try lab.app(["buy", Lab.fuel])
        return lab
    }

    private func check(_ lab: Lab, id: String, row: Row, newCount: Int64) throws {
        #expect(try (worldID(lab) == id) == !row.isNew)
        let count = try lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile)
        #expect(count == (row.isNew ? newCount : 2))
        #expect(try SQLiteFile(lab.storeFile).rows("PRAGMA integrity_check") == [["ok"]])
        let next = lab.storeData + "/worlds/next"
        #expect(try FileManager.default.contentsOfDirectory(atPath: next) == [])
        #expect(try lab.bodega(["world", "snapshots", "default"]).contains("s "))
    }

    @Test(arguments: swaps)
    func `a store killed during a world restore has one world or the other`(row: Row) throws {
        let lab = try open()
        let id = try worldID(lab)
        try kill(lab, by: ["world", "restore", "default", "s", "--yes"], at: row.point)
        try check(lab, id: id, row: row, newCount: 1)
        // Devices and backend that outlived it go on, and nothing is granted twice.
        let highest = try lab.count("SELECT max(id) FROM store_transaction", in: lab.storeFile)
        let used = try lab.count(
            "SELECT transaction_next FROM environment WHERE kind = 'sandbox'", in: lab.storeFile)
        #expect(used > highest)
        try lab.app(["buy", Lab.fuel])
        #expect(
            try lab.count("SELECT max(id) FROM store_transaction", in: lab.storeFile) == used)
    }

    @Test(arguments: swaps)
    func `a store killed during a world reset has one world or the other`(row: Row) throws {
        let lab = try open()
        let id = try worldID(lab)
        let products = try lab.count("SELECT count(*) FROM product", in: lab.storeFile)
        try kill(lab, by: ["world", "reset", "default", "--keep-catalog", "--yes"], at: row.point)
        try check(lab, id: id, row: row, newCount: 0)
        #expect(try lab.count("SELECT count(*) FROM product", in: lab.storeFile) == products)
    }

    @Test func `a store killed before a snapshot has its name has no snapshot`() throws {
        let lab = try Lab.open()
        try kill(lab, by: ["world", "snapshot", "default", "s"], at: .storeSnapshotWritten)
        #expect(!(try lab.bodega(["world", "snapshots", "default"])).contains("s "))
        let next = lab.storeData + "/worlds/next"
        #expect(try FileManager.default.contentsOfDirectory(atPath: next) == [])
        try lab.bodega(["world", "snapshot", "default", "s"])
    }

    @Test func `an app and a backend that outlive a world restore continue to sell and grant`()
        throws
    {
        let lab = try open()
        try lab.bodega(["world", "restore", "default", "s", "--yes"])
        try lab.app(["buy", Lab.fuel])
        let granted = try lab.count(
            "SELECT count(*) FROM grants", in: lab.backendData + "/backend.sqlite")
        #expect(granted == 3)
        #expect(try lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile) == 2)
    }
}
