import StoreModel
import Synchronization

/// The callers of `purchase()` who wait for an outcome, and the payments that this process began:
/// what became of those, their callers were told, so no sequence repeats it.
final class PurchaseCallers: Sendable {
    /// What a caller is told.
    enum Outcome: Sendable {
        /// The transaction is in the copy on disk.
        case bought(id: String, Customer)
        /// What becomes of it, `Transaction.updates` will tell.
        case pending
        case failed(FailureReason)
        /// The store cannot be reached, and it may have been bought: `Transaction.updates` will tell.
        case unreachable(StoreFailure)
        /// It was bought, and the device cannot keep it: `Transaction.updates` will tell.
        case unsaved(any Error)
        case cancelled
    }

    /// What a caller who waits wants to be asked and told.
    private struct Caller {
        let mayContinue: @Sendable (StoreModel.Storefront) -> Bool
        let resume: @Sendable (Outcome) -> Void
    }

    private struct State {
        var waiting: [QueueKey: Caller] = [:]
        /// The attempts of this process whose outcome a caller or an observer is told.
        var own: Set<String> = []
        /// Those of them that observers are told of.
        var ofObservers: Set<String> = []
        var freed: @Sendable () -> Void = {}
    }

    private let state = Mutex(State())

    /// Adds what is called when a caller is freed whose payment goes on.
    func hear(_ freed: @escaping @Sendable () -> Void) {
        state.withLock { $0.freed = freed }
    }

    /// Notes a payment or a restore of the original API in this process.
    func begins(_ attemptId: String) {
        state.withLock { state in
            state.own.insert(attemptId)
            state.ofObservers.insert(attemptId)
        }
    }

    func isForObservers(_ key: QueueKey) -> Bool {
        state.withLock { $0.ofObservers.contains(key.text) }
    }

    /// Whether a caller or an observer is told of a payment.
    func tells(_ key: QueueKey) -> Bool { state.withLock { $0.own.contains(key.text) } }

    func isWaiting(for key: QueueKey) -> Bool { state.withLock { $0.waiting[key] != nil } }

    /// Whether a payment goes on in another storefront than the one it began in; nil when no caller
    /// waits for it.
    func mayContinue(_ key: QueueKey, in storefront: StoreModel.Storefront) -> Bool? {
        state.withLock { $0.waiting[key] }?.mayContinue(storefront)
    }

    /// Waits for a payment's outcome. A task that is cancelled waits no longer; the payment goes on.
    func outcome(
        of attemptId: String,
        mayContinue: @escaping @Sendable (StoreModel.Storefront) -> Bool,
        begin: @escaping @Sendable () -> Void
    ) async -> Outcome {
        let key = QueueKey(attemptId: attemptId)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    state.waiting[key] = Caller(mayContinue: mayContinue) {
                        continuation.resume(returning: $0)
                    }
                    state.own.insert(attemptId)
                }
                // Between the start of the task and this line it may have been cancelled.
                if Task.isCancelled { return tell(key, .cancelled) }
                begin()
            }
        } onCancel: {
            tell(key, .pending)
        }
    }

    /// Tells a caller, once; what is still open after that comes by a sequence.
    func tell(_ key: QueueKey, _ outcome: Outcome) {
        let (caller, freed) = state.withLock { state in
            let caller = state.waiting.removeValue(forKey: key)
            var isOpen = caller != nil
            if case .bought = outcome { isOpen = false } else { state.own.remove(key.text) }
            return (caller, isOpen ? state.freed : nil)
        }
        caller?.resume(outcome)
        freed?()
    }

    /// Tells all that nothing more will come.
    func end(_ reason: FailureReason) {
        for key in state.withLock({ Array($0.waiting.keys) }) { tell(key, .failed(reason)) }
    }
}
