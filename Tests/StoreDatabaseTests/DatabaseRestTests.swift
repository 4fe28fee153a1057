import Foundation
import TestSupport
import Testing

@testable import StoreDatabase

/// Databases that close their connections between uses.
struct DatabaseRestTests {
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

    /// The log goes with the last connection.
    private func rest(_ database: Database) async throws {
        database.rest()
        let deadline = Date().addingTimeInterval(60)
        while hasLog, Date() < deadline { await Task.yield() }
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
        let deadline = Date().addingTimeInterval(60)
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

    @Test func `commands that come during a rest are each committed once`() async throws {
        let database = try open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in 2...101 as ClosedRange<Int64> {
                group.addTask {
                    database.rest()
                    try insert(id, database)
                    database.rest()
                    _ = try ids(database)
                }
            }
            try await group.waitForAll()
        }
        #expect(try ids(database) == Array(1...101))
    }
}
