import Foundation

/// Which transactions of a copy the sequences of `Transaction` bring.
///
/// Source: Apple, *Transaction.all*, *currentEntitlements*, *unfinished*; where those leave the order
/// open, the newest comes first.
enum SignedSelection {
    typealias Result = VerificationResult<Transaction>

    /// Transactions with their verdicts, the newest first.
    static func newestFirst(_ entries: [SignedEntry], _ verifier: DeviceVerifier) -> [Result] {
        newestFirst(entries, verifier) { _ in true }
    }

    /// Those that are wanted, and others. They are sorted by keys, and copied as seldom as possible: a
    /// transaction has dozens of members.
    private static func newestFirst(
        _ entries: [SignedEntry], _ verifier: DeviceVerifier, besides others: [Result] = [],
        where isWanted: (Transaction) -> Bool
    ) -> [Result] {
        verifier.readAhead(entries)
        var results: [Result] = []
        results.reserveCapacity(entries.count + others.count)
        var keys: [(date: Date, id: UInt64, place: Int)] = []
        func add(_ result: Result) {
            let transaction = result.unsafePayloadValue
            keys.append((transaction.purchaseDate, transaction.id, results.count))
            results.append(result)
        }
        others.forEach(add)
        for entry in entries {
            if let result = verifier.transaction(entry), isWanted(result.unsafePayloadValue) {
                add(result)
            }
        }
        return keys.sorted { ($0.date, $0.id) > ($1.date, $1.id) }.map { results[$0.place] }
    }

    /// The whole history: of consumables only those that are unfinished, or were taken back.
    static func all(_ kept: SignedLibrary.KeptCopy) -> [Result] {
        let entries = kept.copy.entries
        return newestFirst(Array(kept.listed.values), kept.verifier) {
            isHistory($0, in: entries)
        }
    }

    private static func isHistory(
        _ transaction: Transaction, in entries: [UInt64: SignedEntry]
    ) -> Bool {
        if isRestored(transaction, in: entries) { return false }
        return transaction.productType != .consumable || transaction.revocationDate != nil
            || entries[transaction.id]?.isFinished == false
    }

    static func unfinished(_ kept: SignedLibrary.KeptCopy) -> [Result] {
        newestFirst(kept.copy.entries.values.filter { !$0.isFinished }, kept.verifier)
    }

    /// What the customer may use now: everything that was bought for good or without renewing, and
    /// of subscriptions the running period. Nothing that was taken back, and no consumables.
    static func currentEntitlements(_ kept: SignedLibrary.KeptCopy) -> [Result] {
        let listed = kept.listed
        let entries = kept.copy.entries
        let running = kept.copy.groups.flatMap(\.statuses).filter { status in
            [.subscribed, .inGracePeriod].contains(
                Product.SubscriptionInfo.RenewalState(rawValue: status.number))
        }.compactMap { status -> Result? in
            let transaction = kept.verifier.status(status)?.transaction
            guard let id = transaction?.unsafePayloadValue.id, entries[id] != nil
            else { return transaction }
            // The same in the history's words: a status has a JWS of its own.
            return listed[id].flatMap(kept.verifier.transaction)
        }.filter { $0.unsafePayloadValue.revocationDate == nil }
        return newestFirst(Array(listed.values), kept.verifier, besides: running) { transaction in
            transaction.revocationDate == nil && isHistory(transaction, in: entries)
                && [.nonConsumable, .nonRenewable].contains(transaction.productType)
        }
    }

    /// The newest transaction of a product, finished or not, revoked or not.
    static func latest(of productID: String, _ kept: SignedLibrary.KeptCopy) -> Result? {
        newestFirst(Array(kept.listed.values), kept.verifier).first {
            $0.unsafePayloadValue.productID == productID
        }
    }

    /// Whether a transaction only restores another one of the copy: the original API makes such.
    private static func isRestored(
        _ transaction: Transaction, in entries: [UInt64: SignedEntry]
    ) -> Bool {
        transaction.productType != .autoRenewable && transaction.id != transaction.originalID
            && entries[transaction.originalID] != nil
    }
}
