import Foundation
import StoreSigning
import Synchronization

/// Looks at passwords away from the listener's threads: scrypt takes 50 ms and 16 MB each, so
/// two run at a time and a bounded number waits.
package final class PasswordWorkers: Sendable {
    package static let runningMax = 2

    private let queue: OperationQueue
    /// The newest sign-in of each account that has one waiting or running.
    private let newest = Mutex<[String: BlockOperation]>([:])

    package init() {
        queue = OperationQueue()
        queue.maxConcurrentOperationCount = Self.runningMax
        queue.qualityOfService = .utility
    }

    /// Runs a body on a worker; throws a refusal when too many wait.
    ///
    /// Bodies of one account run one after the other, so that each sees how the last one ended:
    /// a thousand guesses at once count as a thousand, and good sign-ins do not lock each other
    /// out.
    func run(for account: String, _ body: @escaping @Sendable () -> Void) throws {
        guard queue.operationCount < Limits.signInsWaitingMax else {
            throw Refusal(
                503, "signInBusy", "Too many sign-ins at once; try again.", retryAfterSeconds: 2)
        }
        let operation = BlockOperation(block: body)
        newest.withLock { newest in
            if let last = newest[account] { operation.addDependency(last) }
            newest[account] = operation
        }
        operation.completionBlock = { [weak self, weak operation] in
            self?.newest.withLock { newest in
                if newest[account] === operation { newest[account] = nil }
            }
        }
        queue.addOperation(operation)
    }

    /// A hash that no password has, looked at for unknown accounts, so that the time of a first
    /// answer does not tell which accounts exist. That a known one gets locked still does.
    static let hashOfNobody =
        (try? PasswordHash.make(randomBytes(16).map { "\($0)" }.joined())) ?? ""
}
