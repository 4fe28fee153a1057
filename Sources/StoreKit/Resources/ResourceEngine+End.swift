import Dispatch
import Synchronization

// The end of a test's device.
extension ResourceEngine {
    /// Stops for good, and waits for what is under way; requests that wait fail with this sentence.
    func end(saying sentence: String) {
        state.withLock { $0.end(saying: sentence) }
        lists.sync {}
        for access in state.withLock({ $0.waiting }) { end(access, with: .unavailable(sentence)) }
        loads.sync(flags: .barrier) {}
        // Downloads that no request asked for, and that will never have their turn.
        for end in state.withLock({ $0.abandonUnasked() }) { end.ended(isComplete: false) }
        // The last download may have handed its note of a complete list over.
        lists.sync {}
    }
}
