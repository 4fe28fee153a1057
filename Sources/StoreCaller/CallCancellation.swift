import Synchronization

/// Cancels calls from another thread; a call that carries it stops within a second.
package final class CallCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var wakers: [Int: @Sendable () -> Void] = [:]
        var nextWaker = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Cancels the current and all later calls that carry this value.
    package func cancel() {
        state.withLock { state in
            state.isCancelled = true
            // Under the lock, so that no waker runs after its call has removed it.
            for wake in state.wakers.values { wake() }
        }
    }

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Runs `body`; meanwhile, `cancel()` calls `wake`.
    func withWaker<Value>(_ wake: @escaping @Sendable () -> Void, _ body: () -> Value) -> Value {
        let number = addWaker(wake)
        defer { removeWaker(number) }
        return body()
    }

    /// Has `cancel()` call `wake` until the waker is removed.
    func addWaker(_ wake: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.nextWaker += 1
            state.wakers[state.nextWaker] = wake
            return state.nextWaker
        }
    }

    func removeWaker(_ number: Int) {
        state.withLock { $0.wakers[number] = nil }
    }
}
