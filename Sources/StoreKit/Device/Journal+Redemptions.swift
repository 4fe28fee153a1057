// Offer codes that were given to the store, or are about to be.
extension Journal {
    /// Those of one scope, of whichever world.
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
