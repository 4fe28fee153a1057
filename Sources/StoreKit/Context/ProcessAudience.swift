import Foundation
import Synchronization

/// The listeners of the process's context. They go on to the context that takes its place, as each
/// session of a test does, so that an app's shop does not begin anew.
enum ProcessAudience {
    /// An element of a context's news.
    struct News<Element: Sendable>: Sendable {
        let element: Element
        /// Whether no other context has taken the place of the one that told it.
        let isPresent: @Sendable () -> Bool
    }

    private struct State {
        var count = 0
        var followers: [Int: @Sendable (StoreContext?) -> Void] = [:]
    }

    private static let state = Mutex(State())
    /// Held while a context takes the place of another. Recursive, since an observer that the app
    /// releases meanwhile ends here, and usually removes itself.
    private static let moving = NSRecursiveLock()
    /// The observers while no test's context is there.
    private static let idle = ObserverList()

    /// Has another context take the present one's place.
    ///
    /// - Parameter replace: Does it, and gives the one before.
    static func move(to context: StoreContext?, _ replace: () -> StoreContext?) {
        moving.withLock {
            let before = replace()
            guard before !== context else { return }
            let observers =
                idle.takeOfProcess()
                + (before ?? StoreContext.withoutSession).takeProcessObservers()
            for observer in observers {
                if let context {
                    context.add(observer)
                } else {
                    _ = idle.add(observer, isOfProcess: true)
                }
            }
            for follow in state.withLock({ $0.followers }).values { follow(context) }
        }
    }

    /// Removes an observer, wherever it went on to.
    static func forget(
        _ observer: any SKPaymentTransactionObserver, from present: StoreContext?
    ) {
        moving.withLock {
            _ = idle.remove(observer)
            present?.remove(observer)
        }
    }

    /// A stream of the news of the present context, and of those that take its place.
    static func stream<Element: Sendable>(
        _ open: @escaping @Sendable (SignedPurchases) -> AsyncStream<Element>,
        from present: () -> StoreContext?
    ) -> AsyncStream<News<Element>> {
        AsyncStream { continuation in
            let forwarding = Forwarding()
            let follow: @Sendable (StoreContext?) -> Void = { context in
                // Opened here, so that nothing is missed that happens from now on.
                let stream = context.map { open($0.signedPurchases) }
                forwarding.replace { number in
                    stream.map { stream in
                        Task.detached {
                            for await element in stream {
                                continuation.yield(
                                    News(element: element) { forwarding.isAt(number) })
                            }
                        }
                    }
                }
            }
            let number = moving.withLock {
                let number = state.withLock { state in
                    state.count += 1
                    state.followers[state.count] = follow
                    return state.count
                }
                follow(present())
                return number
            }
            continuation.onTermination = { _ in
                state.withLock { $0.followers[number] = nil }
                forwarding.end()
            }
        }
    }
}

/// The task that forwards one context's news.
private final class Forwarding: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        /// Counts the contexts.
        var number = 0
        var isOver = false
    }

    private let state = Mutex(State())

    /// Whether no context came after the one with that number.
    func isAt(_ number: Int) -> Bool { state.withLock { $0.number == number } }

    /// Ends the task before, whose news count no longer; the next one at once if nobody listens.
    func replace(with next: (_ number: Int) -> Task<Void, Never>?) {
        let ended = state.withLock { state in
            state.number += 1
            let next = next(state.number)
            if state.isOver { return next }
            defer { state.task = next }
            return state.task
        }
        ended?.cancel()
    }

    /// Ends it for good.
    func end() {
        let task = state.withLock { state in
            state.isOver = true
            return state.task
        }
        task?.cancel()
    }
}
