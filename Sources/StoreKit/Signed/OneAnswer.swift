import Synchronization

/// A continuation that is resumed once, by whoever comes first.
final class OneAnswer<Answer: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Answer?, Never>)
        case over
    }

    private let state = Mutex(State.empty)

    /// Whether the answer is no longer wanted.
    var isOver: Bool {
        state.withLock { state in
            if case .over = state { true } else { false }
        }
    }

    /// Holds a continuation; it is resumed at once when that was called for before.
    func hold(_ continuation: CheckedContinuation<Answer?, Never>) {
        let isOver = state.withLock { state in
            if case .over = state { return true }
            state = .waiting(continuation)
            return false
        }
        if isOver { continuation.resume(returning: nil) }
    }

    /// Whether the answer was still wanted.
    @discardableResult func resume(_ answer: Answer?) -> Bool {
        let continuation = state.withLock { state -> CheckedContinuation<Answer?, Never>? in
            defer { state = .over }
            guard case .waiting(let continuation) = state else { return nil }
            return continuation
        }
        continuation?.resume(returning: answer)
        return continuation != nil
    }
}
