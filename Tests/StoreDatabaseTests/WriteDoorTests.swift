import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import StoreDatabase

struct WriteDoorTests {
    private let folder = TemporaryFolder()

    /// A door whose batches take as long as they do, or as a test says.
    private func open(_ commits: Counter, batchMillisecondsMax: Int = .max) throws -> WriteDoor {
        try makePrivate(folder.path + "/w.sqlite")
        let connection = try Connection(path: folder.path + "/w.sqlite")
        _ = try connection.rows("PRAGMA journal_mode = WAL")
        try connection.execute("CREATE TABLE sale (id BIGINT PRIMARY KEY)")
        return WriteDoor(
            connection: connection, batchMillisecondsMax: batchMillisecondsMax,
            reopen: { () throws(DatabaseError) in
                throw DatabaseError(code: .other, detail: "this door never rests")
            }, afterCommit: { commits.add() })
    }

    private func insert(_ id: Int64, _ end: @escaping @Sendable ((any Error)?) -> Void)
        -> WriteDoor.Command
    {
        WriteDoor.Command(
            run: { try $0.execute("INSERT INTO sale (id) VALUES (?1)", [.integer(id)]) }, end: end)
    }

    /// Holds the door with a command, until it is signalled: what comes meanwhile waits.
    private func hold(_ door: WriteDoor) -> DispatchSemaphore {
        let gate = DispatchSemaphore(value: 0)
        let entered = DispatchSemaphore(value: 0)
        door.submit(
            WriteDoor.Command(
                run: { _ in
                    entered.signal()
                    gate.wait()
                }, end: { _ in }))
        entered.wait()
        return gate
    }

    @Test func `waiting commands share a commit`() throws {
        let commits = Counter()
        let door = try open(commits)
        let gate = hold(door)
        let failures = Counter()
        for id in [1, 2, 2, 3] as [Int64] {
            door.submit(insert(id) { if $0 != nil { failures.add() } })
        }
        gate.signal()
        door.close()
        #expect(commits.value == 2, "the one that held the door, and the four together")
        #expect(failures.value == 1, "the second 2 fails alone")
    }

    @Test func `the listener is called as directly after 200 commits as after the first`() throws {
        let door = try open(Counter())
        let depths = Mutex<[Int]>([])
        door.tell { _ in
            depths.withLock { $0.append(Thread.callStackReturnAddresses.count) }
        }
        let ended = DispatchSemaphore(value: 0)
        for _ in 0..<200 {
            door.submit(
                WriteDoor.Command(
                    run: { $0.announce(Announcement("sale")) }, end: { _ in ended.signal() }))
            ended.wait()
        }
        door.close()
        let found = depths.withLock { $0 }
        #expect(found.count == 200)
        let first = try #require(found.first)
        // A drain may find a command that came meanwhile, a few calls less deep.
        #expect(found.allSatisfy { abs($0 - first) < 10 }, "calls on the stack: \(found)")
    }

    @Test func `a batch ends after its time and the rest goes into the next commit`() throws {
        let commits = Counter()
        let door = try open(commits, batchMillisecondsMax: 0)
        let order = Mutex<[Int]>([])
        let gate = hold(door)
        for number in 0..<4 {
            door.submit(
                WriteDoor.Command(
                    run: { _ in }, end: { _ in order.withLock { $0.append(number) } }))
        }
        gate.signal()
        door.close()
        #expect(order.withLock { $0 } == [0, 1, 2, 3], "nobody is passed over")
        #expect(commits.value == 5, "the one that held the door, and each for itself")
    }

    @Test func `a command that throws after writing is undone alone and the others count once`()
        throws
    {
        struct Late: Error {}
        let commits = Counter()
        let door = try open(commits)
        let runs = Mutex<[Int64]>([])
        let ends = Mutex<[Int64: Bool]>([:])
        let gate = hold(door)
        for id in 1...4 as ClosedRange<Int64> {
            door.submit(
                WriteDoor.Command(
                    run: { scope in
                        runs.withLock { $0.append(id) }
                        try scope.execute("INSERT INTO sale (id) VALUES (?1)", [.integer(id)])
                        if id == 3 { throw Late() }
                    },
                    end: { failure in ends.withLock { $0[id] = failure is Late } }))
        }
        gate.signal()
        door.close()
        #expect(ends.withLock { $0 } == [1: false, 2: false, 3: true, 4: false])
        #expect(runs.withLock { $0 } == [1, 2, 3, 1, 2, 3, 4], "the batch ran again")
        #expect(commits.value == 2)
        #expect(try stored() == [1, 2, 4])
    }

    /// Counts what commands did, and what of it was undone.
    private final class Tally: BesideCommits {
        private let value = Atomic<Int64>(0)

        func add(_ count: Int64) { value.wrappingAdd(count, ordering: .relaxed) }
        func mark() -> Int64 { value.load(ordering: .relaxed) }
        func goBack(to mark: Int64) { value.store(mark, ordering: .relaxed) }
    }

    @Test(arguments: [true, false])
    func `state kept beside the commits is rolled back with an undone command`(writes: Bool) throws
    {
        struct Late: Error {}
        let door = try open(Counter())
        let tally = Tally()
        door.keep(tally)
        let gate = hold(door)
        let seen = Mutex<[Int64]>([])
        for id in 1...3 as ClosedRange<Int64> {
            door.submit(
                WriteDoor.Command(
                    run: { scope in
                        seen.withLock { $0.append(tally.mark()) }
                        tally.add(id)
                        if writes || id != 2 {
                            try scope.execute("INSERT INTO sale (id) VALUES (?1)", [.integer(id)])
                        }
                        if id == 2 { throw Late() }
                    }, end: { _ in }))
        }
        gate.signal()
        door.close()
        #expect(tally.mark() == 4)
        #expect(try stored() == [1, 3])
        #expect(seen.withLock { $0 } == (writes ? [0, 1, 0, 1, 1] : [0, 1, 1]))
    }

    @Test func `a command that throws before writing does not rerun the others`() throws {
        struct Early: Error {}
        let door = try open(Counter())
        let runs = Mutex<[Int64]>([])
        let failures = Counter()
        let gate = hold(door)
        for id in 1...4 as ClosedRange<Int64> {
            door.submit(
                WriteDoor.Command(
                    run: { scope in
                        runs.withLock { $0.append(id) }
                        if id == 3 { throw Early() }
                        try scope.execute("INSERT INTO sale (id) VALUES (?1)", [.integer(id)])
                    }, end: { if $0 is Early { failures.add() } }))
        }
        gate.signal()
        door.close()
        #expect(failures.value == 1)
        #expect(runs.withLock { $0 } == [1, 2, 3, 4])
        #expect(try stored() == [1, 2, 4])
    }

    private func stored() throws -> [Int64] {
        try Connection(path: folder.path + "/w.sqlite", .readOnly)
            .rows("SELECT id FROM sale ORDER BY id").map { $0.integer(0) }
    }

    @Test func `closing commits what was already accepted`() throws {
        let commits = Counter()
        let door = try open(commits)
        let ended = Counter()
        for id in 0..<500 as Range<Int64> { door.submit(insert(id) { _ in ended.add() }) }
        door.close()
        #expect(ended.value == 500)
    }
}

private final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func add() {
        count.withLock { $0 += 1 }
    }
}
