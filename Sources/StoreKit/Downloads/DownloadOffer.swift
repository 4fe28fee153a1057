import StoreWire

/// Content that a transaction in the queue brings, as named in the store's answer.
struct DownloadOffer: Hashable, Sendable {
    let key: QueueKey
    let name: TransactionName
    /// The customer who may fetch it.
    let customer: Customer
    let contentIdentifier: String
    let contentVersion: String
    /// Bytes.
    let contentLength: Int64
}

extension DownloadOffer {
    /// Nil when the transaction brings nothing. A transaction has at most one package.
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
