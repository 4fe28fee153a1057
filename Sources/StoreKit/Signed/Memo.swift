import Synchronization

/// A value that is computed when it is first asked for, and remembered.
final class Memo<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    var isKnown: Bool { value.withLock { $0 != nil } }

    /// Two threads that ask at the same time may both compute it.
    func get(_ compute: () -> Value) -> Value {
        if let known = value.withLock({ $0 }) { return known }
        let computed = compute()
        value.withLock { $0 = computed }
        return computed
    }
}
