import Foundation

/// Which transactions of a copy the sequences of `Transaction` bring.
///
/// Source: Apple, *Transaction.all*, *currentEntitlements*, *unfinished*; where those leave the order
/// open, the newest comes first.
enum SignedSelection {
    typealias Result = VerificationResult<Transaction>

    /// Transactions with their verdicts, the newest first.
    static func newestFirst(_ entries: [SignedEntry], _ verifier: DeviceVerifier) -> [Result] {
        entries.compactMap { verifier.transaction($0) }.sorted(by: isNewer)
    }

    /// The whole history: of consumables only those that are unfinished, or were taken back.
    static func all(_ kept: SignedLibrary.KeptCopy) -> [Result] {
        let entries = kept.copy.entries
        return newestFirst(Array(kept.listed.values), kept.verifier).filter { result in
            let transaction = result.unsafePayloadValue
            if isRestored(transaction, in: entries) { return false }
            return transaction.productType != .consumable || transaction.revocationDate != nil
                || entries[transaction.id]?.isFinished == false
        }
    }

    static func unfinished(_ kept: SignedLibrary.KeptCopy) -> [Result] {
        newestFirst(kept.copy.entries.values.filter { !$0.isFinished }, kept.verifier)
    }

    /// What the customer may use now: everything that was bought for good or without renewing, and
    /// of subscriptions the running period. Nothing that was taken back, and no consumables.
    static func currentEntitlements(_ kept: SignedLibrary.KeptCopy) -> [Result] {
        let listed = kept.listed
        let running = kept.copy.groups.flatMap(\.statuses).filter { status in
            [.subscribed, .inGracePeriod].contains(
                Product.SubscriptionInfo.RenewalState(rawValue: status.number))
        }.compactMap { status -> Result? in
            let transaction = kept.verifier.status(status)?.transaction
            guard let id = transaction?.unsafePayloadValue.id, kept.copy.entries[id] != nil
            else { return transaction }
            // The same in the history's words: a status has a JWS of its own.
            return listed[id].flatMap(kept.verifier.transaction)
        }
        let bought = all(kept).filter { result in
            let type = result.unsafePayloadValue.productType
            return type == .nonConsumable || type == .nonRenewable
        }
        return (running + bought).filter { $0.unsafePayloadValue.revocationDate == nil }
            .sorted(by: isNewer)
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

    private static func isNewer(_ one: Result, _ other: Result) -> Bool {
        let (one, other) = (one.unsafePayloadValue, other.unsafePayloadValue)
        return (one.purchaseDate, one.id) > (other.purchaseDate, other.id)
    }
}
