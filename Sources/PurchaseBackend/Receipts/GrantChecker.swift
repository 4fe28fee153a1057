import StoreDatabase
import StoreLog
import StoreModel

/// Asks the store whether it revoked what was granted, or reversed a refund: by the receipts that
/// were kept, one for each check, whose answer counts for all that it lists. Auto-renewable
/// subscriptions have their own checks.
struct GrantChecker: DueChecks {
    let database: Database
    let settler: SubmissionSettler
    let log: Log

    func due(
        _ scope: borrowing ReadScope, now: Timestamp, countMax: Int
    ) throws -> [BackendUserID] {
        try GrantCheckRecords.dueUsers(
            scope, now: now, waitMillisecondsMax: settler.timings.grantWaitMillisecondsMax,
            countMax: countMax)
    }

    func nextDue(_ scope: borrowing ReadScope) throws -> Timestamp? {
        try GrantCheckRecords.nextDue(scope)
    }

    func check(_ user: BackendUserID) throws {
        guard let grant = try due(of: user) else { return }
        try check(grant)
    }

    func postpone(_ user: BackendUserID, because error: any Error) throws {
        guard let grant = try due(of: user) else { return }
        let (trouble, now) = (CheckTrouble(ofOurs: error), settler.clock.now())
        try database.write {
            try fail($0, grant, trouble, pauseMilliseconds: nil, now: now)
        }
        note(trouble, of: grant)
    }

    private func due(of user: BackendUserID) throws -> CheckedGrant? {
        try database.read { scope in
            try GrantCheckRecords.due(
                scope, of: user, now: settler.clock.now(),
                waitMillisecondsMax: settler.timings.grantWaitMillisecondsMax)
        }
    }

    /// Sends the receipt of a grant, and takes over what the answer says.
    func check(_ grant: CheckedGrant) throws {
        let kept = try settler.loadKept(grant.submission)
        let report = settler.verifier.verify(kept.receipt, in: grant.key.environment)
        let trouble = CheckTrouble(report, of: kept.receipt, bundleID: settler.policy.bundleID) {
            $0.purchases.contains { $0.transactionID == grant.transactionID }
                ? nil : "the store no longer lists the purchase"
        }
        let trial = Trial(
            requestID: SubmissionWorker.requestID, now: settler.clock.now(), asked: report.asked)
        try database.write { [settler] scope in
            try settler.apply(scope, report.answer, for: kept, by: trial)
            if let trouble {
                try fail(
                    scope, grant, trouble, pauseMilliseconds: report.pauseMilliseconds,
                    now: trial.now)
            }
        }
        if let trouble { note(trouble, of: grant) }
    }

    private func fail(
        _ scope: borrowing WriteScope, _ grant: CheckedGrant, _ trouble: CheckTrouble,
        pauseMilliseconds: Int64?, now: Timestamp
    ) throws {
        let timings = settler.timings
        let wait: Int64? =
            switch trouble.kind {
            case .silence: pauseMilliseconds ?? timings.retryDelay(tries: grant.failures + 1)
            case .doubt, .refusal:
                grant.refusals + 1 < SubscriptionSchedule.quietChecksMax
                    ? timings.grantCheckMilliseconds : nil
            }
        let nextCheckAt = wait.map { now.adding(milliseconds: $0) }
        try GrantCheckRecords.fail(
            scope, grant, isRefusal: trouble.kind != .silence, now: now, nextCheckAt: nextCheckAt)
        if trouble.kind == .silence, let nextCheckAt {
            try GrantCheckRecords.postpone(
                scope, of: grant.user, in: grant.key.environment, now: now, until: nextCheckAt)
        }
    }

    private func note(_ trouble: CheckTrouble, of grant: CheckedGrant) {
        log(
            .grantCheckFailed,
            [
                .request(SubmissionWorker.requestID), .user(grant.user),
                .submission(grant.submission), .transaction(grant.transactionID),
                .product(grant.productID), .detail(trouble.reason),
            ])
    }
}
