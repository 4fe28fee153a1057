import StoreWire

/// Content that a transaction of the queue brings, as the store's answer names it.
struct DownloadOffer: Hashable, Sendable {
    let key: QueueKey
    let name: TransactionName
    /// Who may fetch it.
    let customer: Customer
    let contentIdentifier: String
    let contentVersion: String
    /// Bytes.
    let contentLength: Int64
}

extension DownloadOffer {
    /// Nil when the transaction brings nothing. A transaction has one package at most.
    init?(_ transaction: TransactionBody, of key: QueueKey, _ customer: Customer) {
        guard let body = transaction.downloads?.first else { return nil }
        self.init(
            key: key,
            name: TransactionName(
                worldId: customer.worldId, transactionId: transaction.transactionId),
            customer: customer, contentIdentifier: body.contentIdentifier,
            contentVersion: body.contentVersion, contentLength: max(0, body.contentLength))
    }
}
