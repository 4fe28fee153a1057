import Synchronization

/// What a world's owner makes the store answer wrongly, to see what clients do then. Nothing of it
/// is kept: whoever forgot one is rid of it when the store starts again.
package struct Faults: ~Copyable, Sendable {
    let verifyReceipt = FaultSwitch()
}

/// A status that `verifyReceipt` gives instead of an answer.
struct ReceiptFault: Hashable, Sendable {
    let status: Int
    /// Said of 21100 to 21199; nil where the answer does not say it.
    let isRetryable: Bool?
    /// For how many requests more; nil until it is taken away.
    var count: Int?
}

/// A fault that holds for some requests, or until it is taken away.
final class FaultSwitch: Sendable {
    private let state = Mutex<ReceiptFault?>(nil)

    var present: ReceiptFault? { state.withLock { $0 } }

    func set(_ fault: ReceiptFault?) {
        state.withLock { $0 = fault }
    }

    /// The fault of one more request.
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
