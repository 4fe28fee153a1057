import Synchronization

/// How long to wait before asking an unreachable store again.
struct Retries: Sendable {
    /// The waits in order, in milliseconds; the last repeats.
    let delaysMilliseconds: [Int]

    static let standard = Retries(
        delaysMilliseconds: [200, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000])

    /// Tries of a request that blocks a caller, such as a list of products.
    static let impatientTriesMax = 3

    func delayMilliseconds(afterTries tries: Int) -> Int {
        let index = min(max(tries - 1, 0), delaysMilliseconds.count - 1)
        return delaysMilliseconds.isEmpty ? 1_000 : delaysMilliseconds[index]
    }
}

/// A try that comes later, after a wait that grows with each failure in a row.
final class LaterTry: Sendable {
    private struct State {
        var failures = 0
        var isDue = false
    }

    private let state = Mutex(State())

    /// How long to wait, in milliseconds; nil when the try is due already.
    func failed() -> Int? {
        state.withLock { state in
            if state.isDue { return nil }
            state.isDue = true
            state.failures += 1
            return Retries.standard.delayMilliseconds(afterTries: state.failures)
        }
    }

    /// The try begins.
    func began() { state.withLock { $0.isDue = false } }

    func succeeded() { state.withLock { $0.failures = 0 } }
}
