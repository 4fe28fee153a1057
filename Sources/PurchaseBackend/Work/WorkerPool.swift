import Dispatch
import Synchronization

/// A few threads for jobs that block, and a waiting room with a fixed number of seats.
///
/// A seat is taken before a job exists, so that nothing is stored for a request without room.
package final class WorkerPool: Sendable {
    package typealias Job = @Sendable () -> Void

    /// Room for one job; given to `start` or to `leave`, once.
    package struct Seat: Sendable {
        fileprivate init() {}
    }

    private let queues: [DispatchQueue]
    private let seatsMax: Int
    private let state: Mutex<State>

    fileprivate struct State {
        var idle: [Int]
        /// Jobs without a worker, the next one first.
        var waiting: [Job] = []
        var nextWaiting = 0
        var seatsTaken = 0
        var isClosed = false
        var whenIdle: [DispatchSemaphore] = []
    }

    package init(name: String, workersMax: Int, waitingMax: Int) {
        queues = (0..<workersMax).map { DispatchQueue(label: "\(name).\($0)") }
        seatsMax = workersMax + waitingMax
        state = Mutex(State(idle: Array(0..<workersMax)))
    }

    /// Nil when every seat is taken, or the pool is closed.
    package func takeSeat() -> Seat? {
        let isTaken = state.withLock { state in
            guard !state.isClosed, state.seatsTaken < seatsMax else { return false }
            state.seatsTaken += 1
            return true
        }
        return isTaken ? Seat() : nil
    }

    /// Returns a seat without a job.
    package func leave(_: Seat) {
        release()
    }

    /// Runs a job on a worker, as soon as one is free.
    package func start(_: Seat, _ job: @escaping Job) {
        let worker: Int? = state.withLock { state in
            if let worker = state.idle.popLast() { return worker }
            state.waiting.append(job)
            return nil
        }
        guard let worker else { return }
        queues[worker].async { self.work(worker, job) }
    }

    /// Runs jobs one after the other until none is waiting.
    private func work(_ worker: Int, _ first: @escaping Job) {
        var job: Job? = first
        while let current = job {
            current()
            release()
            job = state.withLock { state in
                let next = state.takeWaiting()
                if next == nil { state.idle.append(worker) }
                return next
            }
        }
    }

    private func release() {
        let waiters = state.withLock { state in
            state.seatsTaken -= 1
            guard state.seatsTaken == 0 else { return [DispatchSemaphore]() }
            defer { state.whenIdle = [] }
            return state.whenIdle
        }
        for waiter in waiters { waiter.signal() }
    }

    /// Accepts no more jobs; those that have a seat still run.
    package func close() {
        state.withLock { $0.isClosed = true }
    }

    /// Waits until every seat is empty; false when that took too long.
    package func drain(milliseconds: Int) -> Bool {
        let semaphore = DispatchSemaphore(value: 0)
        let isIdle = state.withLock { state in
            guard state.seatsTaken > 0 else { return true }
            state.whenIdle.append(semaphore)
            return false
        }
        return isIdle
            || semaphore.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
    }
}

extension WorkerPool.State {
    /// The longest waiting job; the list is compacted in strides, so that taking stays cheap.
    fileprivate mutating func takeWaiting() -> WorkerPool.Job? {
        guard nextWaiting < waiting.count else { return nil }
        defer {
            nextWaiting += 1
            if nextWaiting == waiting.count || nextWaiting >= 64 {
                waiting.removeFirst(nextWaiting)
                nextWaiting = 0
            }
        }
        return waiting[nextWaiting]
    }
}
