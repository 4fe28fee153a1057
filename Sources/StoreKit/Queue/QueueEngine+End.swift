import Dispatch
import Synchronization

// The end of a test's device.
extension QueueEngine {
    /// Stops for good: calls to the store are cancelled, observers hear nothing more, and none of the
    /// engine's work is under way when this returns. Not to be called on a thread that the engine
    /// waits for.
    func end() {
        if case .success(let parts) = parts { parts.connection.end() }
        board.observers.removeAll()
        audienceLeft()
        events.sync {}
        listener?.end()
        feed?.end(objection() ?? FailureReason(.unknown, "This device has ended."))
        watch.end()
        downloads.withLock { $0 }?.end()
        // What one of them hands to another comes to an end there.
        for _ in 0..<2 {
            for queue in [events, sheets, courier, receipts, refreshes, finishes, restores] {
                queue.sync {}
            }
            feed?.drain()
        }
    }
}
