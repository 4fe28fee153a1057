import CrashPoints
import StoreDatabase
import StoreLog
import StoreModel
import StoreRules
import StoreService

/// Carries out requests to extend all subscribers of a product, one after the other, for as long as
/// the world is open.
///
/// The database holds everything it needs: however it is stopped, it resumes after the last commit,
/// which has both the extensions and how far they are.
package final class MassExtensionWorker: Sendable {
    /// The most subscriptions of one commit.
    static let subscriptionsMax = 200
    /// The most while someone else waits to write.
    private static let subscriptionsWantedMax = 20

    private let database: Database
    private let time: WorldTime
    private let updates: UpdateHub
    private let renewals: RenewalWorker
    private let log: Log
    let loop = DueLoop("bodega.extensions")

    init(
        database: Database, time: WorldTime, updates: UpdateHub, renewals: RenewalWorker, log: Log
    ) {
        self.database = database
        self.time = time
        self.updates = updates
        self.renewals = renewals
        self.log = log
        loop.start { [weak self] in self?.turn() ?? .untilWoken }
    }

    /// Looks for requests; called after one was stored.
    func wake() {
        loop.wake()
    }

    /// Stops after the present commit.
    func close() {
        loop.stop()
    }

    private func turn() -> DueLoop.Next {
        do {
            // Found beside the commit, which then has no more to look at than it extends.
            let batch = try database.read { scope -> Batch? in
                try scope.openMassExtension().map { request in
                    let (found, end) = try scope.subscriptions(
                        of: request, countMax: Self.subscriptionsMax)
                    return Batch(request: request, subscriptions: found, end: end)
                }
            }
            guard let batch else { return .untilWoken }
            let outcome = try commit(batch)
            CrashPoint.storeExtensionsCommitted.reach()
            tell(outcome)
            return .turn
        } catch {
            log.event(StoreEvent.massExtensionsFailed, ("why", .text("\(error)")))
            return .failed
        }
    }

    /// The work of one commit.
    private struct Batch: Sendable {
        let request: MassExtension
        let subscriptions: [TransactionID]
        /// The last subscription that was looked at; nil when the request is carried out.
        let end: TransactionID?
    }

    private struct Outcome: Sendable {
        var request: MassExtension
        /// The accounts that were renewed on the way, with their families.
        var renewed: Set<AccountID> = []
        /// Those whose signed data changed.
        var changed: Set<AccountID> = []
    }

    /// Subscriptions that cannot be extended as they should.
    private struct Troubled: Sendable {
        /// Those that cannot be settled; they fail as they stand.
        var unsettled: Set<TransactionID> = []
        /// Those that cannot even be reported.
        var unreadable: Set<TransactionID> = []
    }

    /// Commits a batch; a subscription that cannot be settled counts as failed.
    private func commit(_ batch: Batch) throws -> Outcome {
        var troubled = Troubled()
        while true {
            do {
                return try database.write { [self, troubled] scope in
                    let outcome = try carryOut(batch, except: troubled, scope)
                    CrashPoint.storeExtensionsMade.reach()
                    return outcome
                }
            } catch let trouble as DueTrouble {
                guard troubled.unsettled.insert(trouble.original).inserted else {
                    guard troubled.unreadable.insert(trouble.original).inserted else {
                        throw trouble
                    }
                    continue
                }
                log.event(
                    StoreEvent.massExtensionSetAside,
                    ("subscription", .number(trouble.original.rawValue)),
                    ("why", .text("\(trouble.cause)")))
            }
        }
    }

    private func carryOut(
        _ batch: Batch, except troubled: Troubled, _ scope: borrowing WriteScope
    ) throws -> Outcome {
        var outcome = Outcome(request: batch.request)
        guard let end = batch.end else {
            outcome.request = try scope.complete(batch.request, at: time.recordNow())
            return outcome
        }
        outcome.request.position = end
        for (index, original) in batch.subscriptions.enumerated() {
            if index >= Self.subscriptionsWantedMax, database.isWriterWanted {
                outcome.request.position = batch.subscriptions[index - 1]
                break
            }
            if troubled.unreadable.contains(original) {
                outcome.request.failed += 1
                continue
            }
            do {
                if troubled.unsettled.contains(original) {
                    guard let kept = try scope.reading.subscription(original) else { continue }
                    try fail(kept, at: time.now(), &outcome, scope)
                } else {
                    try extend(original, &outcome, scope)
                }
            } catch let refusal as Refusal where refusal.status == 503 {
                throw refusal
            } catch {
                throw DueTrouble.of(original, error)
            }
        }
        try scope.save(outcome.request)
        return outcome
    }

    /// Extends one subscription, or records that it cannot be; leaves it alone when it is no longer
    /// active, or has another product.
    private func extend(
        _ original: TransactionID, _ outcome: inout Outcome, _ scope: borrowing WriteScope
    ) throws {
        let now = time.now()
        guard var kept = try scope.reading.subscription(original) else { return }
        if Settlement.isDue(kept, at: now) {
            var settlement = try Settlement(time: time, scope)
            kept = try settlement.catchUp(kept, until: now, scope)
            outcome.renewed.formUnion(settlement.report.accounts)
            outcome.changed.formUnion(settlement.report.watchers)
        }
        let terms = outcome.request.terms
        guard kept.state.product == terms.product, case .active = kept.state.phase else { return }
        do {
            try RenewalExtension.check(kept, terms.key, at: now, scope.reading)
        } catch is ServerAPIError {
            return try fail(kept, at: now, &outcome, scope)
        }
        let change = SubscriptionChange.extend(days: terms.days, from: nil, request: terms.key)
        _ = try change.carryOut(on: kept, at: now, scope, time: time)
        outcome.changed.insert(kept.account)
        outcome.changed.formUnion(try scope.reading.copies(of: kept.newest).map(\.account))
        outcome.request.succeeded += 1
    }

    private func fail(
        _ kept: SubscriptionRecord, at now: Timestamp, _ outcome: inout Outcome,
        _ scope: borrowing WriteScope
    ) throws {
        try scope.record(
            .extensionFailed(request: outcome.request.terms.key), of: kept, at: time.record(now))
        outcome.request.failed += 1
    }

    private func tell(_ outcome: Outcome) {
        for account in outcome.renewed { updates.wake(account, .events) }
        for account in outcome.changed { updates.wake(account, .signedData) }
        // Whatever was extended is due later, and a payment may have been asked for.
        renewals.wake()
        let request = outcome.request
        guard request.completedAt != nil else { return }
        log.event(
            StoreEvent.massExtensionEnded, ("request", .text(request.terms.key)),
            ("product", .text(request.terms.product.rawValue)),
            ("succeeded", .number(request.succeeded)), ("failed", .number(request.failed)))
    }
}
