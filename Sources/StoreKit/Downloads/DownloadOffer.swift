import Glibc
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

/// The content of one transaction, as a run of its download fetches it.
struct TransactionContent: DownloadSource {
    let offer: DownloadOffer

    var customer: Customer? { offer.customer }
    var isShared: Bool { false }
    var takesNewest: Bool { true }

    func path() throws(StoreFailure) -> String {
        let transactionId = offer.name.transactionId
        guard !transactionId.isEmpty, transactionId.allSatisfy({ $0.isASCII && $0.isNumber })
        else {
            throw StoreFailure(
                .refused(status: 404, code: "transactionUnknown"),
                "\"\(transactionId)\" is not a transaction number.")
        }
        return "transactions/\(transactionId)/content"
    }

    func folder(in home: HomeFolder) throws(DownloadTrouble) -> DownloadFolder {
        try DownloadFolder(home: home, offer.name)
    }

    func manifest(_ body: ContentManifestBody) throws(DownloadTrouble) -> DownloadManifest {
        try DownloadManifest(body, of: offer.contentIdentifier)
    }

    func makeRoom(
        for manifest: DownloadManifest, arrived: Int64, in folder: DownloadFolder
    ) throws(DownloadTrouble) {
        guard try folder.room() >= manifest.byteCount - arrived else {
            throw DownloadTrouble(.disk(ENOSPC), DownloadTrouble.noRoom)
        }
    }

    func complete(_ folder: DownloadFolder) {}
}
