import Synchronization

/// The iterations of `PurchaseIntent.intents`.
///
/// A purchase goes to one of them, while it waits for its next element: what nobody waits for stays in
/// the home folder, so an iteration that is dropped takes nothing with it.
final class IntentListeners: Sendable {
    private struct State {
        /// The iterations that have begun and not ended.
        var count = 0
        /// Those who wait, the longest first.
        var waiting: [OneAnswer<PurchaseIntent>] = []
        /// Whether nothing is handed out any more.
        var isOver = false
    }

    /// One iteration, which ends with its last reference.
    private final class Iteration: Sendable {
        private let listeners: IntentListeners
        private let left: @Sendable () -> Void

        init(_ listeners: IntentListeners, left: @escaping @Sendable () -> Void) {
            self.listeners = listeners
            self.left = left
            listeners.state.withLock { $0.count += 1 }
        }

        deinit {
            listeners.state.withLock { $0.count -= 1 }
            left()
        }

        func next(_ look: () -> Void) async -> PurchaseIntent? { await listeners.next(look) }
    }

    private let state = Mutex(State())

    /// Whether nobody iterates.
    var isEmpty: Bool { state.withLock { $0.count == 0 } }

    /// Whether an iteration waits for its next element.
    var isWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// A new iteration, which ends with the task that waits in it, or with its last reference.
    ///
    /// - Parameters:
    ///   - look: Looks for what waits in the home folder; called whenever the iteration begins to wait.
    ///   - left: Called when it has ended.
    func stream(
        look: @escaping @Sendable () -> Void, left: @escaping @Sendable () -> Void
    ) -> AsyncStream<PurchaseIntent> {
        let iteration = Iteration(self, left: left)
        return AsyncStream(unfolding: { await iteration.next(look) })
    }

    /// Hands a purchase to one who waits; false when nobody does.
    func hand(_ intent: PurchaseIntent) -> Bool {
        while let first = state.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }) {
            // The task may have been cancelled meanwhile.
            if first.resume(intent) { return true }
        }
        return false
    }

    /// Ends all iterations.
    func end() {
        let waiting = state.withLock { state in
            state.isOver = true
            return state.waiting
        }
        for answer in waiting { answer.resume(nil) }
    }

    private func next(_ look: () -> Void) async -> PurchaseIntent? {
        let answer = OneAnswer<PurchaseIntent>()
        let intent = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer.hold(continuation)
                let isOver = state.withLock { state in
                    if !state.isOver { state.waiting.append(answer) }
                    return state.isOver
                }
                if isOver { answer.resume(nil) } else { look() }
            }
        } onCancel: {
            answer.resume(nil)
        }
        forget(answer)
        return intent
    }

    /// Never inlined: the optimizer looks for its thread before a wait, and a mutex that is locked after
    /// it on another one would stop the process.
    @inline(never)
    private func forget(_ answer: OneAnswer<PurchaseIntent>) {
        state.withLock { $0.waiting.removeAll { $0 === answer } }
    }
}
