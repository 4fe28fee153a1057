// Offer codes that were sent to the store, or are about to be.
extension Journal {
    /// Those of one scope, in any world.
    func redemptions(of scope: StoreScope) -> [RedemptionRecord] {
        fileNames().filter { $0.hasPrefix("redemption-") }.compactMap {
            load(RedemptionRecord.self, "\(home.journalFolder)/\($0)")
        }.filter { $0.scope == scope }
    }

    func write(_ record: RedemptionRecord) throws {
        try home.save(record, to: file(ofRedemption: record.attemptId))
    }

    func removeRedemption(_ attemptId: String) throws(DurableFile.Failure) {
        try DurableFile.remove(file(ofRedemption: attemptId))
    }

    private func file(ofRedemption attemptId: String) -> String {
        "\(home.journalFolder)/redemption-\(Self.safe(attemptId)).json"
    }
}

/// An offer code that a customer entered, written before it is sent. The store is asked for the
/// outcome until it answers.
struct RedemptionRecord: Codable, Hashable, Sendable {
    let attemptId: String
    let scope: StoreScope
    let worldId: String
    let account: String
    /// The device that sends it; the store would accept the code again from another device.
    let deviceGuid: String
    let code: String

    var customer: Customer { Customer(worldId: worldId, account: account) }
}
