/// One `finishTransaction` in the journal, written before it is sent.
struct FinishRecord: Codable, Hashable, Sendable {
    let transactionId: String
    let scope: StoreScope
    /// The world whose transaction it is; two worlds may use the same number. Nil when it is
    /// not known: then it belongs to the first world that the device meets.
    var worldId: String?
    /// Who bought it; only this account's device may finish it. Nil when it is not known: then
    /// whoever is signed in sends it.
    let account: String?

    var name: TransactionName { TransactionName(worldId: worldId, transactionId: transactionId) }
}
