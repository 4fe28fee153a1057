// How single purchases' receipts change the queue.
extension QueueState {
    /// A purchase whose own receipt has not been fetched.
    struct Bare: Hashable, Sendable {
        let key: QueueKey
        let transactionId: String
    }

    /// Those of the items that are purchases without their own receipt, in the same order.
    func withoutReceipt(_ keys: [QueueKey]) -> [Bare] {
        keys.compactMap { key in
            guard case .receiving(let id)? = items[key]?.stage,
                items[key]?.presented.purchase?.receipt == nil
            else { return nil }
            return Bare(key: key, transactionId: id)
        }
    }

    mutating func transactionReceiptsCame(
        _ receipts: [QueueKey: OwnReceipt]
    ) -> [QueueAction] {
        for (key, receipt) in receipts {
            guard let presented = items[key]?.presented else { continue }
            items[key]?.presented = presented.with(receipt: receipt)
        }
        return []
    }
}
