import Synchronization

/// Faults that a world's owner injects into the store's answers, to test clients. They are not
/// stored: a forgotten one ends when the store restarts.
package struct Faults: ~Copyable, Sendable {
    let verifyReceipt = FaultSwitch()
}

/// A status that `verifyReceipt` gives instead of an answer.
struct ReceiptFault: Hashable, Sendable {
    let status: Int
    /// For 21100 to 21199; nil when the answer leaves it out.
    let isRetryable: Bool?
    /// How many more requests it applies to; nil until it is removed.
    var count: Int?
}

/// A fault that applies to some requests, or until it is removed.
final class FaultSwitch: Sendable {
    private let state = Mutex<ReceiptFault?>(nil)

    var present: ReceiptFault? { state.withLock { $0 } }

    func set(_ fault: ReceiptFault?) {
        state.withLock { $0 = fault }
    }

    /// The fault for the next request.
    func next() -> ReceiptFault? {
        state.withLock { state in
            guard let fault = state else { return nil }
            if let count = fault.count {
                state?.count = count - 1
                if count <= 1 { state = nil }
            }
            return fault
        }
    }
}
