import Foundation
import StoreWire
import Synchronization

/// A receipt that came with the answer to an attempt.
struct SentReceipt: Sendable {
    let bytes: [UInt8]
    /// The state of the file once it holds this receipt.
    let state: ReceiptFile.State
}

// A receipt that has already arrived need not be fetched.
extension QueueEngine {
    /// Keeps what came with an answer, in memory only: a crash costs one call.
    func keep(_ receipts: SentReceiptsBody?, of customer: Customer, _ parts: Parts) {
        guard let receipts, let session = parts.connection.session,
            let bytes = Data(base64Encoded: receipts.receipt), !bytes.isEmpty
        else { return }
        let state = ReceiptFile.State(
            revision: receipts.revision, customer: customer, appVersion: session.appVersion,
            scope: session.scope)
        sent.withLock { $0 = SentReceipt(bytes: Array(bytes), state: state) }
    }

    /// The receipt that came with an answer, when it is at least the wanted one; it is given once.
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
