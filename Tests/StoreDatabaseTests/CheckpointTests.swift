import Foundation
import TestSupport
import Testing

@testable import StoreDatabase

struct CheckpointTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/w.sqlite" }

    private func open() throws -> Database {
        try Database(
            path: path, durability: .full,
            schema: Schema(
                oldest: 1,
                tables: ["CREATE TABLE sale (id BIGINT PRIMARY KEY, note TEXT NOT NULL)"],
                migrations: []))
    }

    private func sell(_ id: Int64, in database: Database) throws {
        _ = try database.write { scope in
            try scope.execute(
                "INSERT INTO sale (id, note) VALUES (?1, ?2)",
                [.integer(id), .text(String(repeating: "n", count: 2_000))])
        }
    }

    /// How much is in the file itself, without its log.
    private var fileBytes: Int {
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }

    @Test func `commits move from the log into the file while the database is open`() throws {
        let database = try open()
        for id in 0..<100 { try sell(Int64(id), in: database) }
        for _ in 0..<6_000 where fileBytes < 200_000 { usleep(10_000) }
        #expect(fileBytes >= 200_000, "the rows alone have as many bytes")
        database.close()
    }

    @Test func `a long read holds up neither a commit nor closing`() throws {
        let database = try open()
        try sell(0, in: database)
        let reader = try Connection(path: path)
        try reader.execute("BEGIN")
        #expect(try reader.rows("SELECT count(*) FROM sale").first?.integer(0) == 1)
        // More than the log may hold before it is started over.
        let pages = Checkpointer.pagesMax + 1_000
        _ = try database.write { scope in
            try scope.execute(
                """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
                INSERT INTO sale (id, note) SELECT i, hex(zeroblob(2000)) FROM n
                """, [.integer(Int64(pages))])
        }
        // Had one of them to wait for the reader, SQLite would wait for this long each time; a busy
        // machine now and then.
        let wait = Duration.milliseconds(Int(Connection.busyMillisecondsMax))
        let wasQuick = try (1...10).contains { number in
            let start = ContinuousClock.now
            let database = number == 1 ? database : try open()
            try sell(Int64(pages + number), in: database)
            #expect(!database.close(), "the reader is still there")
            return ContinuousClock.now - start < wait
        }
        #expect(wasQuick)
        #expect(try reader.rows("SELECT count(*) FROM sale").first?.integer(0) == 1)
    }

    @Test func `the log of a writer without pauses is restarted between two commits`() throws {
        try open().close()
        let writer = try Connection(path: path)
        _ = try writer.rows("PRAGMA wal_autocheckpoint = 0")
        let checkpointer = try Checkpointer(path: path)
        let pages = Checkpointer.pagesPatienceMax + 1_000
        try writer.execute(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
            INSERT INTO sale (id, note) SELECT i, hex(zeroblob(2000)) FROM n
            """, [.integer(Int64(pages))])
        // Each checkpoint meets a transaction; between two of them only the writer could do it.
        var id = Int64(pages)
        var isStartedOver = false
        for _ in 0..<600 where !isStartedOver {
            let before = logBytes
            id += 1
            try writer.execute("BEGIN IMMEDIATE")
            try writer.execute(
                "INSERT INTO sale (id, note) VALUES (?1, 'n')", [.integer(id)])
            usleep(UInt32(2 * Checkpointer.intervalMilliseconds * 1_000))
            try writer.execute("COMMIT")
            // What is written to its beginning makes it no longer.
            isStartedOver = logBytes == before
            checkpointer.schedule()
        }
        #expect(isStartedOver)
        #expect(try writer.rows("SELECT count(*) FROM sale").first?.integer(0) == id)
        checkpointer.close()
    }

    private var logBytes: Int {
        (try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int) ?? 0
    }
}
