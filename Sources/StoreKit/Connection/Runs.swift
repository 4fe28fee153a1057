import Dispatch
import StoreCaller
import Synchronization

/// The runs of a loop that waits for the store; starting one ends its predecessor.
final class Runs: Sendable {
    struct Run: Sendable {
        fileprivate let number: Int
        /// Cancels the run's call to the store.
        let cancellation = CallCancellation()
        private let alarm = DispatchSemaphore(value: 0)

        /// Waits that long, or until the run ends.
        func wait(milliseconds: Int) {
            _ = alarm.wait(timeout: .now() + .milliseconds(milliseconds))
        }

        fileprivate func end() {
            cancellation.cancel()
            alarm.signal()
        }
    }

    /// How often the home folder is checked for an account that another process signed in.
    private static let lookMilliseconds = 500

    private let newest = Mutex(Run(number: 0))

    /// Ends the current run and starts the next; call it also to end the last run.
    @discardableResult func next() -> Run {
        newest.withLock { newest in
            newest.end()
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
    /// it writes are polled.
    func waitForPerson(_ run: Run, _ connection: StoreConnection, while goesOn: () -> Bool) {
        while connection.account == nil, goesOn() {
            if connection.takeStoredSignIn() { return }
            run.wait(milliseconds: Self.lookMilliseconds)
        }
    }
}
