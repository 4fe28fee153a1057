import StoreDatabase
import StoreLog
import StoreModel

extension World {
    /// What asks a payment provider for the world's payments; nil where credit alone pays. A
    /// session that was copied with payments on their way ends them by itself; another world keeps
    /// them for when it is opened with its provider again.
    static func payments(
        of provider: (any PaymentProvider)?, isSession: Bool, openCount: Int64,
        in database: Database, _ time: WorldTime, telling updates: UpdateHub,
        _ renewals: RenewalWorker, log: Log
    ) -> PaymentWorker? {
        let isCopied = isSession && openCount > 0
        guard let provider = provider ?? (isCopied ? CopiedPayments() : nil) else {
            if openCount > 0 {
                log.event(StoreEvent.paymentsUnsettled, ("count", .number(openCount)))
            }
            return nil
        }
        return PaymentWorker(database: database, time: time, provider: provider, log: log) {
            [weak renewals] outcome in
            let family = try? database.read { try $0.family(of: outcome.account) }
            let members = (family ?? []).map(\.account)
            for account in outcome.report.accounts.union(members).union([outcome.account]) {
                updates.wake(account, .events)
            }
            renewals?.settled(outcome.report)
        }
    }
}
