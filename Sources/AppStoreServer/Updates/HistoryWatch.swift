import Dispatch
import StoreDatabase
import StoreHTTP
import Synchronization

extension Announcement {
    /// The history has another event.
    static let history = Announcement("history")
}

/// The owner's requests that wait until a world's history goes on.
final class HistoryWatch: Sendable {
    private struct Waiter: Sendable {
        let pass: Gate.Pass
        let end: @Sendable () -> Void
    }

    private struct State {
        var waiters: [Int64: Waiter] = [:]
        var last: Int64 = 0
        var isClosed = false
        /// Whether news is told in a moment.
        var lingers = false
    }

    private let state = Mutex(State())
    /// Ends waits away from the writer, because their answers read the database.
    private let queue = DispatchQueue(label: "bodega.history")

    /// Lets a request wait for a limited number of seconds; `end` is called once, on any thread.
    /// Gives the wait's number, nil when the world is closing.
    func wait(
        seconds: Int64, _ pass: Gate.Pass, end: @escaping @Sendable () -> Void
    ) -> Int64? {
        let number: Int64? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.last += 1
            state.waiters[state.last] = Waiter(pass: pass, end: end)
            return state.last
        }
        guard let number else { return nil }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Int(seconds))) {
            [weak self] in self?.end(number)
        }
        return number
    }

    /// Ends a wait, if it has not ended.
    func end(_ number: Int64) {
        let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
        if let waiter { Self.end([waiter]) }
    }

    /// Ends every wait in a moment: one answer is enough for what happens until then, and a busy
    /// world does not keep its watchers busy. Called after each commit, on the writer's
    /// thread, and by the inspector on those of connections.
    func wake() {
        let isFirst = state.withLock { state in
            guard !state.waiters.isEmpty, !state.lingers else { return false }
            state.lingers = true
            return true
        }
        guard isFirst else { return }
        let delay = Limits.historyNewsDelayMilliseconds
        queue.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self] in
            guard let self else { return }
            Self.end(self.takeAll { $0.lingers = false })
        }
    }

    /// Ends every wait and takes no more.
    func close() {
        let waiters = takeAll { $0.isClosed = true }
        queue.sync { Self.end(waiters) }
    }

    private func takeAll(_ change: (inout State) -> Void) -> [Waiter] {
        state.withLock { state in
            change(&state)
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
    }

    private static func end(_ waiters: [Waiter]) {
        for waiter in waiters {
            waiter.pass.release()
            waiter.end()
        }
    }
}
