import StoreDatabase
import StoreModel

/// That a purchase does not count any more, as receipts of single transactions are told it.
struct Cancellation: Sendable {
    let at: Timestamp
    /// Nil for a period whose place another product took.
    let reason: Revocation.Reason?
}

extension ReadScope {
    /// Of a transaction; of what is given back, that of the purchase itself.
    borrowing func cancellation(of id: TransactionID) throws -> Cancellation? {
        guard let named = try transaction(id) else { return nil }
        let purchase = try named.restoration.flatMap { try transaction($0.purchase) } ?? named
        for id in [named.id, purchase.id] {
            if let found = try revocation(of: id) {
                return Cancellation(at: found.at, reason: found.reason)
            }
        }
        return purchase.subscription?.upgradedAt.map { Cancellation(at: $0, reason: nil) }
    }
}
