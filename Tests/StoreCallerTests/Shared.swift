import Foundation
import Synchronization

/// A value that a test's threads share.
final class Box<Value: Sendable>: Sendable {
    private let stored: Mutex<Value>

    init(_ value: Value) { stored = Mutex(value) }

    var value: Value {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }

    func update(_ change: (inout sending Value) -> Void) {
        stored.withLock { value in change(&value) }
    }
}

/// A counter that a test's threads share.
final class Counted: Sendable {
    private let count = Mutex(0)

    func add() { count.withLock { $0 += 1 } }
    var value: Int { count.withLock { $0 } }
}

/// A name that has no address, and is too long for any network to be asked.
let noName = String(repeating: "x", count: 64) + ".invalid"

/// Waits until a condition holds; says whether it came to hold in time, which is generous.
func eventually(_ condition: () -> Bool) -> Bool {
    let end = Date(timeIntervalSinceNow: 120)
    while Date() < end {
        if condition() { return true }
        usleep(5_000)
    }
    return condition()
}
