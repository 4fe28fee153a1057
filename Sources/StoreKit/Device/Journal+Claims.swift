// Several processes may share a journal: each attempt is carried out by one of them.
extension Journal {
    /// Claims attempts for this process and gives those that it got; attempts of another live
    /// process, or no longer in the journal, are skipped.
    func claim(_ records: [AttemptRecord]) -> [AttemptRecord] {
        if records.isEmpty { return [] }
        do {
            return try home.locked { try records.compactMap { try claimInLock($0) } }
        } catch {
            // The store accepts an attempt's id once, whoever posts it, so nothing is bought twice.
            Diagnostic.say("\(error)")
            return records.filter { !$0.isOfAnother }
        }
    }

    /// The attempts left behind by processes that have ended.
    func orphans(of scope: StoreScope) -> [AttemptRecord] {
        contents(of: scope).attempts.filter {
            $0.owner != nil && $0.owner != ProcessName.own && !$0.isOfAnother
        }
    }

    private func claimInLock(_ record: AttemptRecord) throws -> AttemptRecord? {
        let path = attemptFile(record.attemptId)
        guard var present = try home.load(AttemptRecord.self, from: path), !present.isOfAnother
        else { return nil }
        guard present.owner != ProcessName.own else { return present }
        present.owner = ProcessName.own
        try write(present)
        return present
    }
}
