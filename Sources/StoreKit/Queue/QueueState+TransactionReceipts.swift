// What single purchases' receipts do to the queue.
extension QueueState {
    /// A purchase whose own receipt was not brought yet.
    struct Bare: Hashable, Sendable {
        let key: QueueKey
        let transactionId: String
    }

    /// Which of these are purchases without a receipt of their own, in this order.
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
