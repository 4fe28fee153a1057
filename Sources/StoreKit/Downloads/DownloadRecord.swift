/// The journal's record of a download, so that the next launch continues where this one ended.
struct DownloadRecord: Codable, Hashable, Sendable {
    enum Stage: String, Codable, Sendable {
        /// The app requested it: the next launch continues by itself.
        case started
        case paused
        /// It failed. What has arrived is kept until the app asks again.
        case kept
        case finished
    }

    let transactionId: String
    let customer: Customer
    let scope: StoreScope
    /// The version that was begun; nil before the store has listed its files.
    let contentVersion: String?
    /// The size of that version in bytes.
    let contentLength: Int64
    let stage: Stage

    var name: TransactionName {
        TransactionName(worldId: customer.worldId, transactionId: transactionId)
    }
}
