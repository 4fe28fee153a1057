import Foundation
import StoreHTTP
import Synchronization
import Testing

@testable import PurchaseBackend

struct WorkerPoolTests {
    @Test func `every job runs once, and no more run at a time than the limit`() throws {
        let pool = WorkerPool(name: "test", workersMax: 3, waitingMax: 1_000)
        let tally = Tally()
        for _ in 0..<1_000 {
            pool.start(try #require(pool.takeSeat())) { tally.work() }
        }
        #expect(pool.drain(milliseconds: 20_000))
        #expect(tally.done == 1_000)
        #expect(tally.most <= 3)
        #expect(tally.most > 1)
    }

    @Test func `a full pool gives no seat, and one that is left is free again`() throws {
        let pool = WorkerPool(name: "test", workersMax: 1, waitingMax: 2)
        let gate = Gate()
        for _ in 0..<3 { pool.start(try #require(pool.takeSeat())) { gate.wait() } }
        #expect(pool.takeSeat() == nil)
        #expect(!pool.drain(milliseconds: 20))
        gate.open()
        #expect(pool.drain(milliseconds: 5_000))
        let seats = (0..<3).compactMap { _ in pool.takeSeat() }
        #expect(seats.count == 3)
        #expect(pool.takeSeat() == nil)
        pool.leave(seats[0])
        #expect(pool.takeSeat() != nil)
    }

    @Test func `a lane keeps its seats from others, and the first lane goes first`() throws {
        let pool = WorkerPool(name: "test", workersMax: 1, waitingMaxByLane: [8, 2])
        let gate = Gate()
        let order = Mutex<[Int]>([])
        pool.start(try #require(pool.takeSeat())) { gate.wait() }
        for number in 0..<3 {
            pool.start(try #require(pool.takeSeat(in: 1))) {
                order.withLock { $0.append(100 + number) }
            }
        }
        #expect(pool.takeSeat(in: 1) == nil)
        for number in 0..<6 {
            pool.start(try #require(pool.takeSeat())) { order.withLock { $0.append(number) } }
        }
        gate.open()
        #expect(pool.drain(milliseconds: 20_000))
        #expect(order.withLock { $0 } == [0, 1, 2, 100, 3, 4, 5, 101, 102])
        #expect(pool.takeSeat(in: 1) != nil)
    }

    @Test func `every lane behind the first gets turns while the first has work`() throws {
        let pool = WorkerPool(name: "test", workersMax: 1, waitingMaxByLane: [20, 2, 2, 6])
        let gate = Gate()
        let order = Mutex<[Int]>([])
        pool.start(try #require(pool.takeSeat())) { gate.wait() }
        for lane in [3, 3, 3, 3, 3, 1, 2] {
            pool.start(try #require(pool.takeSeat(in: lane))) { order.withLock { $0.append(lane) } }
        }
        for _ in 0..<15 {
            pool.start(try #require(pool.takeSeat())) { order.withLock { $0.append(0) } }
        }
        gate.open()
        #expect(pool.drain(milliseconds: 20_000))
        #expect(order.withLock { $0 }.prefix(12) == [0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 2])
    }

    @Test func `a closed pool gives no seat`() {
        let pool = WorkerPool(name: "test", workersMax: 1, waitingMax: 2)
        pool.close()
        #expect(pool.takeSeat() == nil)
        #expect(pool.drain(milliseconds: 0))
    }

    @Test func `a late request gets the deadline's answer and an early one does not`() throws {
        let deadlines = AnswerDeadlines(milliseconds: 50)
        var (early, wasRunning) = (PendingAnswer(), false)
        var begun = ContinuousClock.now
        // Tried again where a busy machine used up the deadline.
        repeat {
            let answer = PendingAnswer()
            begun = .now
            let ticket = deadlines.watch(
                Responder { answer.fill($0) }, answer: HTTPResponse(status: 202))
            wasRunning = deadlines.isRunning(ticket)
            deadlines.end(ticket)
            early = answer
        } while ContinuousClock.now - begun >= .milliseconds(50)
        #expect(wasRunning)
        let late = PendingAnswer()
        let ticket = deadlines.watch(
            Responder { late.fill($0) }, answer: HTTPResponse(status: 202))
        #expect(try late.answer(seconds: 120).status == 202)
        #expect(!deadlines.isRunning(ticket))
        #expect(!early.isThere)
    }
}

/// Counts how many jobs run at a time.
private final class Tally: Sendable {
    private let state = Mutex((now: 0, most: 0, done: 0))

    var most: Int { state.withLock { $0.most } }
    var done: Int { state.withLock { $0.done } }

    func work() {
        state.withLock { state in
            state.now += 1
            state.most = max(state.most, state.now)
        }
        usleep(200)
        state.withLock { state in
            state.now -= 1
            state.done += 1
        }
    }
}
