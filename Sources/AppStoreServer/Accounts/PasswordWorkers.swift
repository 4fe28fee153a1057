import Dispatch
import Foundation
import Glibc
import StoreModel
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

    /// Where a password comes from; each kind has waiting places of its own, and they are served in
    /// this order.
    enum Caller: Hashable, Sendable {
        /// The shop owner, who makes accounts.
        case owner
        /// A device on which the account has signed in before; the account's devices share turns.
        case known(account: String)
        /// Any other device of a world.
        case stranger(world: String, DeviceID)

        fileprivate var rank: Int {
            switch self {
            case .owner: 0
            case .known: 1
            case .stranger: 2
            }
        }
    }

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

    /// Has a worker run `body`, or calls `refuse` when too many wait, now or later: a caller with
    /// many in the line loses its newest to one with fewer.
    ///
    /// Bodies of one account or one device run one after the other, so that each sees how the last
    /// one ended: a thousand guesses at once count as a thousand, and good sign-ins do not lock each
    /// other out.
    func start(
        for account: String, by caller: Caller, refuse: @escaping @Sendable (Refusal) -> Void,
        _ body: @escaping @Sendable () -> Void
    ) {
        queue.take(PasswordQueue.Work(account: account, caller: caller, run: body, refuse: refuse))
    }

    /// Has a worker run the owner's body and waits for its value.
    func run<Value: Sendable>(
        for account: String, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            start(for: account, by: .owner) {
                continuation.resume(throwing: $0)
            } _: {
                continuation.resume(with: Result(catching: body))
            }
        }
    }

    /// A hash that no password has, checked for unknown accounts, so that the time of an answer
    /// does not reveal which accounts exist.
    static let hashOfNobody =
        (try? PasswordHash.make(randomBytes(16).map { "\($0)" }.joined())) ?? ""
}

/// The bodies that wait for a worker.
private final class PasswordQueue: Sendable {
    struct Work: Sendable {
        let account: String
        let caller: PasswordWorkers.Caller
        let run: @Sendable () -> Void
        let refuse: @Sendable (Refusal) -> Void
    }

    private struct State {
        var line = FairLine<PasswordWorkers.Caller, Work>(
            placesMax: Array(repeating: Limits.signInsWaitingMax, count: 3))
        /// The accounts and callers whose passwords are being checked.
        var accounts: Set<String> = []
        var callers: Set<PasswordWorkers.Caller> = []
        var isClosed = false

        /// The next work of an account and a caller that are not being checked.
        mutating func next() -> Work? {
            let (accounts, callers) = (accounts, callers)
            return line.next {
                !accounts.contains($0.account) && !callers.contains($0.caller)
            }
        }
    }

    private let state = Mutex(State())
    private let news = DispatchSemaphore(value: 0)

    func take(_ work: Work) {
        let refused: Work? = state.withLock { state in
            switch state.line.add(work, of: work.caller, rank: work.caller.rank) {
            case .taken: nil
            case .displaced(let other): other
            case .full: work
            }
        }
        news.signal()
        refused?.refuse(
            Refusal(
                503, "signInBusy", "Too many sign-ins at once; try again.", retryAfterSeconds: 2))
    }

    /// Runs what is free until the queue is closed and empty; for each worker's thread.
    func work() {
        while true {
            news.wait()
            let (next, isOver) = state.withLock { state in
                let next = state.next()
                if let next {
                    state.accounts.insert(next.account)
                    // The owner's work is not a guess.
                    if next.caller != .owner { state.callers.insert(next.caller) }
                }
                return (next, state.isClosed && state.line.count == 0)
            }
            if let next {
                next.run()
                finish(next)
            } else if isOver {
                // The other workers wait for news, too.
                news.signal()
                return
            }
        }
    }

    private func finish(_ work: Work) {
        state.withLock { state in
            state.accounts.remove(work.account)
            state.callers.remove(work.caller)
        }
        // Something that waited for this account or device may be free now.
        news.signal()
    }

    /// Bodies that wait are still run; then the workers end.
    func close() {
        state.withLock { $0.isClosed = true }
        for _ in 0..<PasswordWorkers.runningMax { news.signal() }
    }
}
