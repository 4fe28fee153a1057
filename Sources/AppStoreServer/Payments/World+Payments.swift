import StoreDatabase
import StoreLog
import StoreModel

extension World {
    /// The worker that asks a payment provider for the world's payments; nil when credit alone pays
    /// and no earlier payment is open.
    static func payments(
        of provider: (any PaymentProvider)?, openCount: Int64, in database: Database,
        _ time: WorldTime, telling updates: UpdateHub, _ renewals: RenewalWorker, log: Log
    ) -> PaymentWorker? {
        if provider == nil, openCount > 0 {
            log.event(StoreEvent.paymentsUnsettled, ("count", .number(openCount)))
        }
        guard let provider = provider ?? (openCount > 0 ? AbsentProvider() : nil) else {
            return nil
        }
        return PaymentWorker(database: database, time: time, provider: provider, log: log) {
            [weak renewals] outcome in
            // First: an advance of the clock that ends before this does not count it. That can still
            // happen where several payments share a commit.
            renewals?.settled(outcome.report)
            let family = try? database.read { try $0.family(of: outcome.account) }
            let members = (family ?? []).map(\.account)
            for account in outcome.report.accounts.union(members).union([outcome.account]) {
                updates.wake(account, .events)
            }
        }
    }
}
