import Synchronization

/// A limit on how many requests of one kind may wait at a time.
package final class Gate: Sendable {
    private let limit: Int
    private let inside = Mutex(0)

    package init(limit: Int) {
        precondition(limit >= 0, "a gate's limit is not negative")
        self.limit = limit
    }

    /// A place inside, or nil when all are taken.
    package func acquire() -> Pass? {
        let isIn = inside.withLock { inside in
            guard inside < limit else { return false }
            inside += 1
            return true
        }
        return isIn ? Pass(gate: self) : nil
    }

    package var count: Int { inside.withLock { $0 } }

    private func leave() {
        inside.withLock { $0 -= 1 }
    }

    /// One place; released by `release()` or when the pass is deallocated.
    package final class Pass: Sendable {
        private let gate: Gate
        private let isHeld = Mutex(true)

        fileprivate init(gate: Gate) {
            self.gate = gate
        }

        deinit { release() }

        /// Releases the place; later calls do nothing.
        package func release() {
            let wasHeld = isHeld.withLock { isHeld in
                defer { isHeld = false }
                return isHeld
            }
            if wasHeld { gate.leave() }
        }
    }
}
