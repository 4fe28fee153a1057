import Dispatch
import Synchronization

/// A few threads for jobs that block, and a waiting room with a fixed number of seats.
///
/// A seat is taken before a job exists, so that nothing is stored for a request without room. Seats
/// may be in lanes, each with a number of its own, so that nobody takes those of another lane. Jobs
/// of the first lane go first; every fourth one is of the last lane in which any waits, so that
/// none is held up for ever.
package final class WorkerPool: Sendable {
    package typealias Job = @Sendable () -> Void

    /// Room for one job; given to `start` or to `leave`, once.
    package struct Seat: Sendable {
        fileprivate let lane: Int
    }

    private let queues: [DispatchQueue]
    /// By lane.
    private let seatsMax: [Int]
    private let state: Mutex<State>

    fileprivate struct State {
        var idle: [Int]
        /// Jobs without a worker, by lane.
        var waiting: [WaitingJobs]
        var seatsTaken: [Int]
        /// Jobs that waited and were taken.
        var taken = 0
        var isClosed = false
        var whenIdle: [DispatchSemaphore] = []
    }

    package convenience init(name: String, workersMax: Int, waitingMax: Int) {
        self.init(name: name, workersMax: workersMax, waitingMaxByLane: [waitingMax])
    }

    package init(name: String, workersMax: Int, waitingMaxByLane: [Int]) {
        queues = (0..<workersMax).map { DispatchQueue(label: "\(name).\($0)") }
        seatsMax = waitingMaxByLane.map { workersMax + $0 }
        state = Mutex(
            State(
                idle: Array(0..<workersMax),
                waiting: waitingMaxByLane.map { _ in WaitingJobs() },
                seatsTaken: waitingMaxByLane.map { _ in 0 }))
    }

    /// Nil when every seat of the lane is taken, or the pool is closed.
    package func takeSeat(in lane: Int = 0) -> Seat? {
        let isTaken = state.withLock { state in
            guard !state.isClosed, state.seatsTaken[lane] < seatsMax[lane] else { return false }
            state.seatsTaken[lane] += 1
            return true
        }
        return isTaken ? Seat(lane: lane) : nil
    }

    /// Returns a seat without a job.
    package func leave(_ seat: Seat) {
        release(seat)
    }

    /// Runs a job on a worker, as soon as one is free.
    package func start(_ seat: Seat, _ job: @escaping Job) {
        let worker: Int? = state.withLock { state in
            if let worker = state.idle.popLast() { return worker }
            state.waiting[seat.lane].add(SeatedJob(seat: seat, run: job))
            return nil
        }
        guard let worker else { return }
        queues[worker].async { self.work(worker, SeatedJob(seat: seat, run: job)) }
    }

    /// Runs jobs one after the other until none is waiting.
    private func work(_ worker: Int, _ first: SeatedJob) {
        var job: SeatedJob? = first
        while let current = job {
            current.run()
            release(current.seat)
            job = state.withLock { state in
                let next = state.takeWaiting()
                if next == nil { state.idle.append(worker) }
                return next
            }
        }
    }

    private func release(_ seat: Seat) {
        let waiters = state.withLock { state in
            state.seatsTaken[seat.lane] -= 1
            guard state.seatsTaken.allSatisfy({ $0 == 0 }) else { return [DispatchSemaphore]() }
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
            guard state.seatsTaken.contains(where: { $0 > 0 }) else { return true }
            state.whenIdle.append(semaphore)
            return false
        }
        return isIdle
            || semaphore.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
    }
}

extension WorkerPool.State {
    /// The next job: of the first lane with any, or, at every fourth turn, of the others in turns.
    fileprivate mutating func takeWaiting() -> SeatedJob? {
        let lanes = waiting.indices.filter { !waiting[$0].isEmpty }
        guard let first = lanes.first else { return nil }
        let others = lanes.dropFirst()
        let lane =
            taken % 4 == 3 && !others.isEmpty
            ? others[others.startIndex + taken / 4 % others.count] : first
        taken &+= 1
        return waiting[lane].take()
    }
}

/// A job with its seat.
private struct SeatedJob: Sendable {
    let seat: WorkerPool.Seat
    let run: WorkerPool.Job
}

/// Jobs in order of arrival; the list is compacted in strides, so that taking stays cheap.
private struct WaitingJobs: Sendable {
    private var jobs: [SeatedJob] = []
    private var next = 0

    var isEmpty: Bool { next == jobs.count }

    mutating func add(_ job: SeatedJob) { jobs.append(job) }

    mutating func take() -> SeatedJob? {
        guard !isEmpty else { return nil }
        defer {
            next += 1
            if isEmpty || next >= 64 {
                jobs.removeFirst(next)
                next = 0
            }
        }
        return jobs[next]
    }
}
