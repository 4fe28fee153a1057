import Foundation

/// The device's promises, made or received, in one file each, so that a crash loses nothing.
struct Journal: Sendable {
    let home: HomeFolder

    /// All records of one scope, in any world; attempts in the order they were made.
    func contents(of scope: StoreScope) -> (attempts: [AttemptRecord], finishes: [FinishRecord]) {
        var attempts: [AttemptRecord] = []
        var finishes: [FinishRecord] = []
        for name in fileNames() {
            let path = "\(home.journalFolder)/\(name)"
            if name.hasPrefix("attempt-") {
                if let record = load(AttemptRecord.self, path) { attempts.append(record) }
            } else if name.hasPrefix("finish-") {
                if let record = load(FinishRecord.self, path) { finishes.append(record) }
            }
        }
        attempts.sort {
            ($0.madeAtMilliseconds, $0.attemptId) < ($1.madeAtMilliseconds, $1.attemptId)
        }
        return (attempts.filter { $0.scope == scope }, finishes.filter { $0.scope == scope })
    }

    /// An unapproved attempt is forgotten at the next launch, so it need not survive a power
    /// failure.
    func write(_ record: AttemptRecord) throws {
        try home.save(
            record, to: attemptFile(record.attemptId), isSynced: record.stage != .written)
    }

    func write(_ record: FinishRecord) throws {
        try home.save(record, to: finishFile(record.name))
    }

    func removeAttempt(_ attemptId: String) throws(DurableFile.Failure) {
        try DurableFile.remove(attemptFile(attemptId))
    }

    func removeFinish(_ name: TransactionName) throws(DurableFile.Failure) {
        try DurableFile.remove(finishFile(name))
    }

    func attemptFile(_ attemptId: String) -> String {
        "\(home.journalFolder)/attempt-\(Self.safe(attemptId)).json"
    }

    /// Named by world and number, and for an answer by its attempt, so that a finish never replaces
    /// another one.
    func finishFile(_ name: TransactionName) -> String {
        let rest = [name.worldId, name.attemptId].compactMap { $0.map { "-" + Self.safe($0) } }
        return "\(home.journalFolder)/finish-\(Self.safe(name.transactionId))\(rest.joined()).json"
    }

    /// The finish of a transaction; nil when it no longer exists.
    func finish(_ name: TransactionName) throws -> FinishRecord? {
        try home.load(FinishRecord.self, from: finishFile(name))
    }

    /// A transaction's number comes from the store, and must not lead out of the folder.
    static func safe(_ text: String) -> String {
        String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "_" })
    }

    /// A record; nil when it is damaged, or unreadable now and left for the next launch.
    func load<Record: Decodable>(_ type: Record.Type, _ path: String) -> Record? {
        do {
            return try home.load(type, from: path)
        } catch {
            Diagnostic.say("\(error)")
            return nil
        }
    }

    func fileNames() -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: home.journalFolder)
        return (names ?? []).filter { $0.hasSuffix(".json") }.sorted()
    }
}

/// One `finishTransaction` in the journal, written before it is sent.
struct FinishRecord: Codable, Hashable, Sendable {
    let transactionId: String
    let scope: StoreScope
    /// The transaction's world; two worlds may use the same number. When nil, it belongs to the
    /// first world that the device meets.
    var worldId: String?
    /// The buyer; only this account's device may finish it. When nil, whichever account is signed
    /// in sends it.
    let account: String?
    /// The attempt whose answer is finished; nil when it is the transaction.
    var attemptId: String?

    var name: TransactionName {
        TransactionName(worldId: worldId, transactionId: transactionId, attemptId: attemptId)
    }
}
