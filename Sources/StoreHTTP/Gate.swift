import Synchronization

/// A limit on how many requests of one kind may wait at a time.
package final class Gate: Sendable {
    private struct Inside {
        var count = 0
        /// Those of them in the annex.
        var annexCount = 0
    }

    private let limit: Int
    private let annexLimit: Int
    private let inside = Mutex(Inside())

    /// Some of the places are in an annex; `annexLimit` is their number, as many as there are unless
    /// given.
    package init(limit: Int, annexLimit: Int? = nil) {
        precondition(limit >= 0, "a gate's limit is not negative")
        self.limit = limit
        self.annexLimit = annexLimit ?? limit
    }

    /// A place inside, or nil when all are taken; `inAnnex` for the kind of request that has fewer.
    package func acquire(inAnnex: Bool = false) -> Pass? {
        let isIn = inside.withLock { inside in
            guard inside.count < limit, !inAnnex || inside.annexCount < annexLimit else {
                return false
            }
            inside.count += 1
            if inAnnex { inside.annexCount += 1 }
            return true
        }
        return isIn ? Pass(gate: self, isInAnnex: inAnnex) : nil
    }

    package var count: Int { inside.withLock { $0.count } }

    private func leave(annex: Bool) {
        inside.withLock { inside in
            inside.count -= 1
            if annex { inside.annexCount -= 1 }
        }
    }

    /// One place; released by `release()` or when the pass is deallocated.
    package final class Pass: Sendable {
        private let gate: Gate
        private let isInAnnex: Bool
        private let isHeld = Mutex(true)

        fileprivate init(gate: Gate, isInAnnex: Bool) {
            self.gate = gate
            self.isInAnnex = isInAnnex
        }

        deinit { release() }

        /// Releases the place; later calls do nothing.
        package func release() {
            let wasHeld = isHeld.withLock { isHeld in
                defer { isHeld = false }
                return isHeld
            }
            if wasHeld { gate.leave(annex: isInAnnex) }
        }
    }
}
