import Foundation
import StoreWire
import Synchronization

/// A receipt that the store sent along with the answer to an attempt.
struct SentReceipt: Sendable {
    let bytes: [UInt8]
    /// What the file will be that holds it.
    let state: ReceiptFile.State
}

// What came already need not be fetched.
extension QueueEngine {
    /// Notes what came with an answer. It is only kept in memory: a crash costs one call.
    func keep(_ receipts: SentReceiptsBody?, of customer: Customer, _ parts: Parts) {
        guard let receipts, let session = parts.connection.session,
            let bytes = Data(base64Encoded: receipts.receipt), !bytes.isEmpty
        else { return }
        let state = ReceiptFile.State(
            revision: receipts.revision, customer: customer, appVersion: session.appVersion,
            scope: session.scope)
        sent.withLock { $0 = SentReceipt(bytes: Array(bytes), state: state) }
    }

    /// The receipt that came along, when it is at least what is wanted; it is given once.
    func takeSentReceipt(_ wanted: ReceiptFile.State) -> SentReceipt? {
        sent.withLock { sent in
            guard let found = sent, found.state.isSameFile(as: wanted),
                found.state.revision >= wanted.revision
            else { return nil }
            sent = nil
            return found
        }
    }
}
