// What comes with transactions, as far as it concerns the queue.
extension QueueState {
    /// Content is dropped with its transaction.
    func drop(_ item: QueueItem) -> [QueueAction] {
        item.offer.map { [.dropDownload($0.name)] } ?? []
    }

    /// The transactions of a customer that the app has not finished.
    func unfinished(of customer: Customer) -> Set<TransactionName> {
        Set(keysByTransaction.filter { items[$0.value]?.customer == customer }.keys)
    }
}
