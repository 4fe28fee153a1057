import Foundation

// Downloads in the journal.
extension Journal {
    /// All downloads of one scope, in any world.
    func downloads(of scope: StoreScope) -> [DownloadRecord] {
        fileNames().filter { $0.hasPrefix("download-") }
            .compactMap { load(DownloadRecord.self, "\(home.journalFolder)/\($0)") }
            .filter { $0.scope == scope }
    }

    /// The record of one download; nil when there is none.
    func download(_ name: TransactionName) -> DownloadRecord? {
        load(DownloadRecord.self, downloadFile(name))
    }

    func write(_ record: DownloadRecord) throws {
        try home.save(record, to: downloadFile(record.name))
    }

    func removeDownload(_ name: TransactionName) throws(DurableFile.Failure) {
        try DurableFile.remove(downloadFile(name))
    }

    func downloadFile(_ name: TransactionName) -> String {
        downloadFile(ofFolder: Self.fileName(of: name))
    }

    /// The same, by the name of its folder.
    func downloadFile(ofFolder name: String) -> String {
        "\(home.journalFolder)/download-\(name).json"
    }

    /// A name for each transaction, unique across worlds, that cannot lead out of a folder.
    static func fileName(of name: TransactionName) -> String {
        "\(safe(name.transactionId))-\(safe(name.worldId ?? ""))"
    }

    /// Whether a name has that form: a transaction's number and a world's identifier.
    static func isFileName(_ name: String) -> Bool {
        let parts = name.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty
            && parts[0].allSatisfy { $0.isASCII && $0.isNumber }
            && UUID(uuidString: String(parts[1])) != nil
    }
}
