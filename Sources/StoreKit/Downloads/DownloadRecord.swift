/// What the journal keeps of a download, so that the next launch goes on where this one ended.
struct DownloadRecord: Codable, Hashable, Sendable {
    enum Stage: String, Codable, Sendable {
        /// The app asked for it: the next launch goes on by itself.
        case started
        case paused
        /// It failed. What has come is kept until the app asks again.
        case kept
        case finished
    }

    let transactionId: String
    let customer: Customer
    let scope: StoreScope
    /// The version that was begun; nil before the store told which files it has.
    let contentVersion: String?
    /// Bytes of that version.
    let contentLength: Int64
    let stage: Stage

    var name: TransactionName {
        TransactionName(worldId: customer.worldId, transactionId: transactionId)
    }
}
