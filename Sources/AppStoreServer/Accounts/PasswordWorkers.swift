import Dispatch
import Foundation
import Glibc
import StoreService
import StoreSigning
import Synchronization

/// Checks passwords away from the listener's threads: scrypt takes 50 ms and 16 MB each, so one or
/// two run at a time and a bounded number waits.
///
/// The workers have threads of their own, with a lower priority than all others, and leave every
/// other core free: a crowd that signs in must not slow down purchases.
package final class PasswordWorkers: Sendable {
    /// One for every two cores.
    package static let runningMax = min(2, max(1, ProcessInfo.processInfo.processorCount / 2))
    /// The niceness of the workers, from 0 to 19. It is no higher because on a busy machine they
    /// give way to every other program, too.
    package static let niceness: Int32 = 5

    private let queue = PasswordQueue()

    package init() {
        for number in 1...Self.runningMax {
            let thread = Thread { [queue] in
                // On Linux this is the calling thread's own; it may only ever be raised.
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
                queue.work()
            }
            thread.name = "passwords-\(number)"
            thread.start()
        }
    }

    deinit { queue.close() }

    /// Has a worker run a body; throws a refusal when too many wait.
    ///
    /// Bodies of one account run one after the other, so that each sees how the last one ended:
    /// a thousand guesses at once count as a thousand, and good sign-ins do not lock each other
    /// out.
    func start(for account: String, _ body: @escaping @Sendable () -> Void) throws {
        guard queue.take(account, body) else {
            throw Refusal(
                503, "signInBusy", "Too many sign-ins at once; try again.", retryAfterSeconds: 2)
        }
    }

    /// Has a worker run a body and waits for its value.
    func run<Value: Sendable>(
        for account: String, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try start(for: account) { continuation.resume(with: Result(catching: body)) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    /// A hash that no password has, checked for unknown accounts, so that the time of an answer
    /// does not reveal which accounts exist.
    static let hashOfNobody =
        (try? PasswordHash.make(randomBytes(16).map { "\($0)" }.joined())) ?? ""
}

/// The bodies that wait for a worker, in the order they came.
private final class PasswordQueue: Sendable {
    private typealias Body = @Sendable () -> Void

    private struct State {
        var ready: [(account: String, body: Body)] = []
        /// For each account that is ready or being checked, the bodies that come after.
        var behind: [String: [Body]] = [:]
        var count = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let news = DispatchSemaphore(value: 0)

    /// False when too many wait.
    func take(_ account: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        let (isTaken, isReady) = state.withLock { state in
            guard state.count < Limits.signInsWaitingMax else { return (false, false) }
            state.count += 1
            if state.behind[account] != nil {
                state.behind[account]?.append(body)
                return (true, false)
            }
            state.behind[account] = []
            state.ready.append((account, body))
            return (true, true)
        }
        if isReady { news.signal() }
        return isTaken
    }

    /// Runs what is ready until the queue is closed; for each worker's thread.
    func work() {
        while true {
            news.wait()
            let next = state.withLock { state in
                state.ready.isEmpty ? nil : state.ready.removeFirst()
            }
            guard let next else {
                if state.withLock({ $0.isClosed }) { return }
                continue
            }
            next.body()
            finish(next.account)
        }
    }

    private func finish(_ account: String) {
        let isNextReady = state.withLock { state in
            state.count -= 1
            guard let next = state.behind[account]?.first else {
                state.behind[account] = nil
                return false
            }
            state.behind[account]?.removeFirst()
            state.ready.append((account, next))
            return true
        }
        if isNextReady { news.signal() }
    }

    /// Bodies that wait are still run; then the workers end.
    func close() {
        state.withLock { $0.isClosed = true }
        for _ in 0..<PasswordWorkers.runningMax { news.signal() }
    }
}
