import Synchronization

/// A value that is made when it is first needed, once.
final class Once<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let make: @Sendable () -> Value

    init(_ make: @escaping @Sendable () -> Value) {
        self.make = make
    }

    /// Making it must not ask for it.
    func get() -> Value {
        value.withLock { value in
            if let value { return value }
            let made = make()
            value = made
            return made
        }
    }

    /// Nil while nobody has needed it.
    var made: Value? { value.withLock { $0 } }
}
