import Foundation
import StoreWire

// Each purchase has a receipt of its own, too.
extension QueueEngine {
    /// A store that is only down for a moment may answer so once or twice.
    private static let uselessAnswersMax = 3

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
        while !rest.isEmpty {
            let page = rest.prefix(TransactionReceiptsRequestBody.transactionsMax)
            rest = rest.dropFirst(page.count)
            let answer: TransactionReceiptsAnswerBody
            do throws(StoreFailure) {
                answer = try parts.connection.transactionReceipts(
                    page.map(\.transactionId), of: wanted.customer)
            } catch {
                if error.kind == .lost, error.isAnswer { uselessAnswers += 1 }
                let isRefusal = if case .refused = error.kind { true } else { false }
                // A store that gives none must not hold the purchase back.
                guard isRefusal || uselessAnswers >= Self.uselessAnswersMax else {
                    throw error
                }
                return Message.sayOnce(
                    "purchases have no transactionReceipt: \(error.sentence)")
            }
            let keys = Dictionary(page.map { ($0.transactionId, $0.key) }) { first, _ in first }
            var receipts: [QueueKey: Data] = [:]
            for body in answer.receipts {
                guard let key = keys[body.transactionId] else { continue }
                receipts[key] = Data(base64Encoded: body.receipt)
            }
            handle(.transactionReceiptsCame(receipts))
        }
    }
}
