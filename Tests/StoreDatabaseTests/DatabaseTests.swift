import CSQLite
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import StoreDatabase

private let oneTable = Schema(
    oldest: 1, tables: ["CREATE TABLE sale (id BIGINT PRIMARY KEY, note TEXT NOT NULL)"],
    migrations: [])

private struct Refused: Error, Equatable {}

struct DatabaseTests {
    private let folder = TemporaryFolder()

    private func open(_ schema: Schema = oneTable) throws -> Database {
        try Database(path: folder.path + "/w.sqlite", durability: .full, schema: schema)
    }

    private func insert(_ id: Int64) -> @Sendable (borrowing WriteScope) throws -> Int {
        { scope in
            try scope.execute(
                "INSERT INTO sale (id, note) VALUES (?1, ?2)", [.integer(id), .text("n")])
        }
    }

    private func count(_ database: Database) throws -> Int64 {
        try database.read { try $0.row("SELECT count(*) FROM sale")?.integer(0) ?? -1 }
    }

    @Test func `of two commands in one commit, a refused one fails alone`() throws {
        let database = try open()
        let outcomes = Mutex<[String]>([])
        let done = DispatchSemaphore(value: 0)
        // The first holds the writer until the other two wait, so that those share a commit.
        let gate = DispatchSemaphore(value: 0)
        database.write({ _ in gate.wait() }, then: { _ in })
        let commits = Mutex<[Int64]>([])
        database.write(
            { scope in
                try scope.execute("INSERT INTO sale (id, note) VALUES (1, 'first')")
                throw Refused()
            },
            then: { (result: Result<Void, any Error>) in
                if case .failure(is Refused) = result { outcomes.withLock { $0.append("refused") } }
                done.signal()
            })
        database.write(
            insert(2),
            then: { result in
                if case .success(1) = result { outcomes.withLock { $0.append("committed") } }
                commits.withLock { $0.append((try? count(database)) ?? -1) }
                done.signal()
            })
        gate.signal()
        // When all three share a commit, the refusal has the first run once more.
        gate.signal()
        done.wait()
        done.wait()
        #expect(outcomes.withLock { $0 } == ["refused", "committed"])
        #expect(commits.withLock { $0 } == [1], "readers see the commit when it is told")
        #expect(try count(database) == 1)
    }

    @Test func `a constraint violation refuses only its own command`() throws {
        let database = try open()
        #expect(try database.write(insert(1)) == 1)
        let failure = #expect(throws: DatabaseError.self) { try database.write(insert(1)) }
        #expect(failure?.code == .constraint)
        #expect(try database.write(insert(2)) == 1)
        #expect(try count(database) == 2)
    }

    @Test func `commands of many threads are each committed once`() throws {
        let database = try open()
        DispatchQueue.concurrentPerform(iterations: 16) { thread in
            for number in 0..<50 {
                #expect((try? database.write(insert(Int64(thread * 100 + number)))) == 1)
            }
        }
        #expect(try count(database) == 800)
    }

    @Test func `every value is read back as written`() throws {
        let database = try open(
            Schema(
                oldest: 1, tables: ["CREATE TABLE v (a BIGINT, b TEXT, c BLOB, d TEXT)"],
                migrations: []))
        let bytes: [UInt8] = [0, 1, 255]
        let text = "a\u{0}b – ✓"
        _ = try database.write { scope in
            try scope.execute(
                "INSERT INTO v (a, b, c, d) VALUES (?1, ?2, ?3, ?4)",
                [.integer(.min), .text(text), .blob(bytes), .null])
        }
        let row = try #require(try database.read { try $0.row("SELECT a, b, c, d FROM v") })
        #expect(row.integer(0) == .min)
        #expect(row.text(1) == text)
        #expect(row.blob(2) == bytes)
        #expect(row.textOrNil(3) == nil)
    }

    @Test func `a file that is not a database is refused by name`() throws {
        try Data("not a database, but long enough to look at".utf8)
            .write(to: URL(fileURLWithPath: folder.path + "/w.sqlite"))
        let failure = #expect(throws: DatabaseError.self) { try open() }
        #expect(failure?.code == .notADatabase)
    }

    @Test func `a read transaction cannot write`() throws {
        let database = try open()
        #expect(throws: DatabaseError.self) {
            try database.read { try $0.rows("INSERT INTO sale (id, note) VALUES (1, 'x')") }
        }
        #expect(try count(database) == 0)
    }

    @Test func `a closed database accepts nothing more`() throws {
        let database = try open()
        _ = try database.write(insert(1))
        database.close()
        let failure = #expect(throws: DatabaseError.self) { try database.write(insert(2)) }
        #expect(failure?.code == .unavailable)
    }

    @Test func `a full disk fails the whole commit and later commits work again`() throws {
        let database = try open()
        _ = try database.write { try $0.rows("PRAGMA max_page_count = 8") }
        let big = [UInt8](repeating: 7, count: 100_000)
        let failure = #expect(throws: DatabaseError.self) {
            try database.write { scope in
                try scope.execute(
                    "INSERT INTO sale (id, note) VALUES (1, ?1)",
                    [.text(String(decoding: big, as: UTF8.self))])
            }
        }
        #expect(failure?.code == .diskFull)
        _ = try database.write { try $0.rows("PRAGMA max_page_count = 100000") }
        #expect(try database.write(insert(3)) == 1)
        #expect(try count(database) == 1)
    }

    @Test func `commands above the waiting limit are refused`() throws {
        let database = try open()
        let gate = DispatchSemaphore(value: 0)
        let entered = DispatchSemaphore(value: 0)
        database.write(
            { _ in
                entered.signal()
                gate.wait()
            }, then: { _ in })
        entered.wait()
        let ended = DispatchGroup()
        for number in 0..<WriteDoor.waitingMax {
            ended.enter()
            database.write(insert(Int64(number)), then: { _ in ended.leave() })
        }
        let refusal = Mutex<DatabaseError.Code?>(nil)
        database.write(
            insert(-1),
            then: { result in
                if case .failure(let error as DatabaseError) = result {
                    refusal.withLock { $0 = error.code }
                }
            })
        #expect(refusal.withLock { $0 } == .unavailable)
        gate.signal()
        ended.wait()
        #expect(try count(database) == Int64(WriteDoor.waitingMax))
    }
}
