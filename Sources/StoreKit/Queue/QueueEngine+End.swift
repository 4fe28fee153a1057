import Dispatch

// The end of a test's device.
extension QueueEngine {
    /// Stops for good: calls to the store are cancelled, observers hear nothing more, and nothing is
    /// under way when this returns. Not to be called on a thread that the engine waits for.
    func end() {
        if case .success(let parts) = parts { parts.connection.end() }
        board.observers.removeAll()
        handleDownload(.listening(false))
        observersLeft()
        // What one of them hands to another comes to an end there.
        for _ in 0..<2 {
            for queue in [events, sheets, courier, receipts, finishes, restores] { queue.sync {} }
        }
    }
}
