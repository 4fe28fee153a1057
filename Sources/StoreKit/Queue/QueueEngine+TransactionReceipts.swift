import Foundation
import StoreWire

// Each purchase also has a receipt of its own.
extension QueueEngine {
    /// A store that is down only for a moment may answer like this once or twice.
    private static let uselessAnswersMax = 3

    /// With more purchases at once, as at a launch after a long time, observers are told first.
    /// This is also the size of a page of a restore.
    static let receiptsBroughtMax = 500

    /// Fetches the receipts of purchases that observers do not know yet, page by page. Pages
    /// fetched before a failure are not requested again.
    ///
    /// Continues without them when the store refuses, or after a counted number of unusable
    /// answers: the receipt file lists the purchases, too.
    ///
    /// They are not stored: after a restart the store signs the same ones again.
    func bringTransactionReceipts(
        of wanted: HeldReceipt, uselessAnswers: inout Int, _ parts: Parts
    ) throws(StoreFailure) {
        var rest = look { $0.withoutReceipt(wanted.keys) }[...]
        guard rest.count <= Self.receiptsBroughtMax else {
            let late = LateReceipts(
                rest.map(\.transactionId), of: wanted.customer, parts.connection)
            return handle(
                .transactionReceiptsCame(rest.reduce(into: [:]) { $0[$1.key] = .late(late) }))
        }
        while !rest.isEmpty {
            let page = rest.prefix(TransactionReceiptsRequestBody.transactionsMax)
            rest = rest.dropFirst(page.count)
            let brought: [String: Data]
            do throws(StoreFailure) {
                brought = try parts.connection.transactionReceipts(
                    page.map(\.transactionId), of: wanted.customer)
            } catch {
                if error.kind == .lost, error.isAnswer { uselessAnswers += 1 }
                // A store that provides none must not hold the purchase back.
                guard error.isRefusal || uselessAnswers >= Self.uselessAnswersMax else {
                    throw error
                }
                return Diagnostic.sayOnce(
                    "purchases have no transactionReceipt: \(error.sentence)")
            }
            handle(
                .transactionReceiptsCame(
                    page.reduce(into: [:]) { receipts, bare in
                        receipts[bare.key] = brought[bare.transactionId].map { .brought($0) }
                    }))
        }
    }
}
