import Foundation
import StoreWire

// Each purchase has a receipt of its own, too.
extension QueueEngine {
    /// A store that is only down for a moment may answer so once or twice.
    private static let uselessAnswersMax = 3

    /// With more than that at once, as at a launch after a long time, observers hear first. It is
    /// a page of a restore, too.
    static let receiptsBroughtMax = 500

    /// Brings the receipts of purchases that observers have not heard of, page by page. What came
    /// before a failure is not asked for again.
    ///
    /// Goes on without them when the store refuses, or when too many of its answers were of no
    /// use, which are counted: the receipt file names the purchases, too.
    ///
    /// They are kept nowhere: after a new start the store signs the same ones once more.
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
                // A store that gives none must not hold the purchase back.
                guard error.isRefusal || uselessAnswers >= Self.uselessAnswersMax else {
                    throw error
                }
                return Message.sayOnce(
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
