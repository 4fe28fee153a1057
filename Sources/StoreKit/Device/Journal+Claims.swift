// Several processes may share a journal: each attempt is carried on by one of them.
extension Journal {
    /// Makes attempts this process's own, and gives those that are; what another process that
    /// runs carries on is left alone, and so is what left the journal meanwhile.
    func claim(_ records: [AttemptRecord]) -> [AttemptRecord] {
        if records.isEmpty { return [] }
        do {
            return try home.locked { try records.compactMap { try claimInLock($0) } }
        } catch {
            // The store takes an attempt's id once, whoever posts it, so nothing is bought twice.
            Message.say("\(error)")
            return records.filter { !$0.isOfAnother }
        }
    }

    /// The attempts that processes left behind which are gone now.
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
