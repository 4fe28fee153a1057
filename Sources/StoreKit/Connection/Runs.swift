import Dispatch
import StoreCaller
import Synchronization

/// The runs of a loop that waits for the store: each one begins by ending the one before it.
final class Runs: Sendable {
    struct Run: Sendable {
        fileprivate let number: Int
        /// Ends the run's call to the store.
        let cancellation = CallCancellation()
        private let alarm = DispatchSemaphore(value: 0)

        /// Waits that long, or until the run is ended.
        func wait(milliseconds: Int) {
            _ = alarm.wait(timeout: .now() + .milliseconds(milliseconds))
        }

        fileprivate func end() {
            cancellation.cancel()
            alarm.signal()
        }
    }

    /// How often the home folder is looked at for somebody who signed in elsewhere.
    private static let lookMilliseconds = 500

    private let newest = Mutex(Run(number: 0))

    /// Ends the run before and gives the next one; also what ends the last run.
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

    /// Waits until somebody is signed in, or the run is ended.
    ///
    /// Signing in here starts a run anew. The device's settings are another process, and what it
    /// wrote is looked for.
    func waitForPerson(_ run: Run, _ connection: StoreConnection, while goesOn: () -> Bool) {
        while connection.account == nil, goesOn() {
            if connection.takeStoredSignIn() { return }
            run.wait(milliseconds: Self.lookMilliseconds)
        }
    }
}
