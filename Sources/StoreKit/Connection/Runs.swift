import Dispatch
import StoreCaller
import Synchronization

/// The runs of a loop that waits for the store; starting one ends its predecessor.
final class Runs: Sendable {
    struct Run: Sendable {
        fileprivate let number: Int
        /// Cancels the run's call to the store.
        let cancellation = CallCancellation()
    }

    /// How often the home folder is checked for an account that another process signed in.
    private static let lookMilliseconds = 500

    private let newest = Mutex(Run(number: 0))

    /// Ends the current run and starts the next; call it also to end the last run.
    @discardableResult func next() -> Run {
        newest.withLock { newest in
            newest.cancellation.cancel()
            newest = Run(number: newest.number + 1)
            return newest
        }
    }

    func isNewest(_ run: Run) -> Bool {
        newest.withLock { $0.number == run.number }
    }

    /// Waits until an account is signed in, or the run ends.
    ///
    /// Signing in here starts a new run. The device's settings run in another process, so the files
    /// it writes are polled. Nothing is held meanwhile.
    static func waitForPerson(
        _ connection: StoreConnection, on queue: DispatchQueue,
        then: @escaping @Sendable () -> Void = {}, while goesOn: @escaping @Sendable () -> Bool
    ) {
        guard goesOn() else { return }
        guard connection.account == nil, !connection.takeStoredSignIn() else { return then() }
        queue.asyncAfter(deadline: .now() + .milliseconds(lookMilliseconds)) {
            waitForPerson(connection, on: queue, then: then, while: goesOn)
        }
    }
}
