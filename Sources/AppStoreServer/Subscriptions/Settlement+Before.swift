import StoreDatabase
import StoreModel
import StoreService

extension Settlement {
    /// Whether something is due of a subscription that does not wait for a payment.
    static func isDue(_ kept: SubscriptionRecord, at moment: Timestamp) -> Bool {
        guard kept.payment == nil, let due = kept.state.dueAt else { return false }
        return due <= moment
    }

    /// Settles what is due of one subscription before another change, within the same commit;
    /// returns the result, which may wait for a payment. Throws 503 when that takes too long for a
    /// waiting request.
    static func settled(
        _ kept: SubscriptionRecord, until moment: Timestamp, time: WorldTime,
        _ scope: borrowing WriteScope
    ) throws -> SubscriptionRecord {
        guard isDue(kept, at: moment) else { return kept }
        var settlement = try Settlement(time: time, scope)
        return try settlement.catchUp(kept, until: moment, scope)
    }

    /// Settles what is due of one subscription, or as much of it as a request waits for; the rest is
    /// the worker's.
    static func settleSome(
        of kept: SubscriptionRecord, until moment: Timestamp, time: WorldTime,
        _ scope: borrowing WriteScope
    ) throws {
        guard isDue(kept, at: moment) else { return }
        var settlement = try Settlement(time: time, scope)
        _ = try settlement.takeSome(of: kept, until: moment, scope)
    }

    /// Settles what is due of accounts' subscriptions, except for those left out. Throws a
    /// `DueTrouble` for one that cannot be settled.
    static func settleDue(
        of accounts: [AccountID], except left: Set<TransactionID>,
        _ scope: borrowing WriteScope, at now: Timestamp, time: WorldTime
    ) throws {
        for account in accounts {
            let due = try scope.reading.subscriptions(of: account, dueBy: now)
            for original in due where !left.contains(original) {
                do {
                    let kept = try scope.reading.subscription(original)
                    guard let kept else { continue }
                    _ = try settled(kept, until: now, time: time, scope)
                } catch let refusal as Refusal {
                    throw refusal
                } catch {
                    throw DueTrouble.of(original, error)
                }
            }
        }
    }
}
