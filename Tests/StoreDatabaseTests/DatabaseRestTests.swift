import Foundation
import TestSupport
import Testing

@testable import StoreDatabase

/// Databases that close their connections between uses.
@Suite(.ownThreads) struct DatabaseRestTests {
    private let folder = TemporaryFolder()

    private var path: String { folder.path + "/w.sqlite" }
    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }
    private var hasLog: Bool { FileManager.default.fileExists(atPath: path + "-wal") }

    private func open(_ durability: Database.Durability = .processOnly) throws -> Database {
        let database = try Database(
            path: path, durability: durability,
            schema: Schema(
                oldest: 1, tables: ["CREATE TABLE sale (id BIGINT PRIMARY KEY)"], migrations: []))
        try insert(1, database)
        #expect(try ids(database) == [1])
        return database
    }

    private func insert(_ id: Int64, _ database: Database) throws {
        _ = try database.write { scope in
            try scope.execute("INSERT INTO sale (id) VALUES (?1)", [.integer(id)])
        }
    }

    private func ids(_ database: Database) throws -> [Int64] {
        try database.read { try $0.rows("SELECT id FROM sale ORDER BY id").map { $0.integer(0) } }
    }

    /// The log goes with the last connection. A write answers before its thread is free, and until
    /// then nothing rests.
    private func rest(_ database: Database) async throws {
        let deadline = Date().addingTimeInterval(120)
        while hasLog, Date() < deadline {
            database.rest()
            await Task.yield()
        }
        try #require(!hasLog)
    }

    @Test func `a database that rests has no connection, and is as before at the next use`()
        async throws
    {
        let database = try open()
        #expect(hasLog)
        for round in 2...4 as ClosedRange<Int64> {
            try await rest(database)
            if round % 2 == 0 { #expect(try ids(database) == Array(1..<round)) }
            try insert(round, database)
            #expect(try ids(database) == Array(1...round))
            #expect(hasLog)
        }
        try await rest(database)
        #expect(database.close())
        #expect(try names() == ["w.sqlite"])
    }

    @Test func `a file that was removed during a rest is not made anew`() async throws {
        let database = try open()
        try await rest(database)
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: DatabaseError.self) { try insert(2, database) }
        #expect(throws: DatabaseError.self) { try ids(database) }
        #expect(try names() == [])
        #expect(database.close())
    }

    @Test func `a file that was replaced during a rest is not written to`() async throws {
        let database = try open()
        try await rest(database)
        let bytes = try Data(contentsOf: URL(filePath: path))
        // Written after the first is gone: many file systems give its number to the next file.
        try FileManager.default.removeItem(atPath: path)
        try bytes.write(to: URL(filePath: path))
        #expect(throws: DatabaseError.self) { try insert(2, database) }
        #expect(throws: DatabaseError.self) { try ids(database) }
        #expect(database.close())
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    }

    @Test func `a close after a rest tells that another program keeps the log`() async throws {
        let database = try open()
        let other = try Connection(path: path, .readOnly)
        _ = try other.rows("SELECT id FROM sale")
        // False once it rests.
        let deadline = Date().addingTimeInterval(120)
        while database.rest(), Date() < deadline { await Task.yield() }
        #expect(!database.rest())
        #expect(hasLog)
        #expect(!database.close())
        withExtendedLifetime(other) {}
    }

    @Test func `a database whose commits are synced never rests`() throws {
        let database = try open(.full)
        #expect(!database.rest())
        #expect(hasLog)
        #expect(try ids(database) == [1])
    }

    @Test(arguments: [true, false])
    func `commands that come during a rest or a shrinking are each committed once`(
        closes: Bool
    ) async throws {
        let database = try open()
        @Sendable func makeRoom() {
            if closes { database.rest() } else { database.shrink() }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in 2...101 as ClosedRange<Int64> {
                group.addTask {
                    makeRoom()
                    try insert(id, database)
                    makeRoom()
                    _ = try ids(database)
                }
            }
            try await group.waitForAll()
        }
        #expect(try ids(database) == Array(1...101))
    }

    @Test func `a database that shrinks keeps its writer alone, and is as before at the next use`()
        async throws
    {
        let database = try open()
        for id in 2...4 as ClosedRange<Int64> {
            #expect(try openLogs() == 2, "the writer's and a reader's")
            // A write answers before its thread is free, and until then the writer keeps its memory.
            let deadline = Date().addingTimeInterval(120)
            while try writersStatements(database) > 3, Date() < deadline {
                database.shrink()
                await Task.yield()
            }
            #expect(try writersStatements(database) == 3, "this one, and those of a transaction")
            #expect(try openLogs() == 1)
            try insert(id, database)
            #expect(try ids(database) == Array(1...id))
        }
        #expect(database.close())
    }

    private func writersStatements(_ database: Database) throws -> Int64 {
        try database.write { scope in
            try scope.reading.rows("SELECT count(*) FROM sqlite_stmt").first?.integer(0) ?? 0
        }
    }

    @Test func `two read a database that rests at once, and one reader stays`() throws {
        let database = try open()
        let isReading = DispatchSemaphore(value: 0)
        let goesOn = DispatchSemaphore(value: 0)
        let group = DispatchGroup()
        for _ in 0..<2 {
            DispatchQueue.global().async(group: group) {
                _ = try? database.read { _ in
                    isReading.signal()
                    goesOn.wait()
                }
            }
        }
        for _ in 0..<2 { #expect(isReading.wait(timeout: .now() + 120) == .success) }
        #expect(try openLogs() == 3)
        for _ in 0..<2 { goesOn.signal() }
        group.wait()
        #expect(try openLogs() == 2)
        #expect(database.close())
    }

    /// How often this process has the log open: once for each connection.
    private func openLogs() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { number in
            let name = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/fd/" + number)
            return name == path + "-wal"
        }
    }

    @Test func `a connection that shrinks keeps no statement, and answers as before`() throws {
        try open().close()
        let connection = try Connection(path: path)
        for id in 1...3 {
            _ = try connection.rows("SELECT id + \(id) FROM sale")
        }
        let count = "SELECT count(*) FROM sqlite_stmt"
        #expect(try connection.rows(count).first?.integer(0) == 4)
        connection.shrink()
        #expect(try connection.rows(count).first?.integer(0) == 1)
        #expect(try connection.rows("SELECT id FROM sale").map { $0.integer(0) } == [1])
    }
}
