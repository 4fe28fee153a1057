import CrashPoints
import StoreDatabase
import StoreLog
import StoreModel
import StoreWire

/// Takes one stored submission to its end, or keeps it for another try.
///
/// Requests and the worker come through here alike, also for the same submission at once: the
/// grant has a key of its own, and a submission that ended stays as it is.
struct SubmissionSettler: Sendable {
    let database: Database
    let verifier: StoreVerifier
    let policy: GrantPolicy
    let timings: BackendTimings
    let clock: WallClock
    let log: Log

    /// Verifies and grants; blocks for the calls to the store and for the commit.
    func settle(_ id: SubmissionID, requestID: String) throws -> SettlementOutcome {
        let (row, receipt) = try database.read { scope in
            guard let row = try SubmissionQueries.find(scope, id),
                let receipt = try SubmissionQueries.receipt(scope, hash: row.receiptHash)
            else { throw SettlementTrouble(detail: "submission \(id) has no row or no receipt") }
            return (row, receipt)
        }
        let answer = verifier.verify(receipt)
        let examination = GrantRules.examine(row.claim, answer, policy)
        let now = clock.now()
        let outcome = try database.write { [self] scope in
            try write(scope, row, examination, requestID: requestID, now: now)
        }
        if case .granted = outcome { CrashPoint.backendGrantCommitted.reach() }
        report(outcome, row, requestID: requestID)
        return outcome
    }

    /// Keeps a submission that there was no time to verify.
    func keep(_ id: SubmissionID, reason: String, requestID: String) throws {
        let now = clock.now()
        try database.write { [timings] scope in
            try SubmissionQueries.keep(
                scope, id, reason: reason,
                nextTryAt: now.adding(milliseconds: timings.retryDelay(tries: 1)),
                requestID: requestID, now: now)
        }
    }

    private func write(
        _ scope: borrowing WriteScope, _ row: SubmissionRow, _ examination: GrantExamination,
        requestID: String, now: Timestamp
    ) throws -> SettlementOutcome {
        func settle(_ end: SubmissionEnd) throws {
            try SubmissionQueries.settle(scope, row.id, end, requestID: requestID, now: now)
        }
        switch examination {
        case .keep(let reason):
            let next = now.adding(milliseconds: timings.retryDelay(tries: row.tries + 1))
            try SubmissionQueries.keep(
                scope, row.id, reason: reason, nextTryAt: next, requestID: requestID, now: now)
            return .kept(reason: reason)
        case .refused(let refusal):
            try settle(SubmissionEnd(refused: refusal))
            return .refused(refusal)
        case .candidate(let candidate):
            let holder = try GrantQueries.holder(scope, candidate.key)
            let purchase = candidate.purchase
            switch GrantRules.decide(for: row.user, holder: holder) {
            case .grant:
                try GrantQueries.insert(
                    scope, candidate, user: row.user, submission: row.id, now: now)
                try settle(SubmissionEnd(granted: .granted))
                return .granted(
                    productID: purchase.productID, transactionID: purchase.transactionID)
            case .alreadyGranted:
                try settle(SubmissionEnd(granted: .alreadyGranted))
                return .alreadyGranted(
                    productID: purchase.productID, transactionID: purchase.transactionID)
            case .refused(let refusal):
                try settle(SubmissionEnd(refused: refusal))
                return .refused(refusal)
            }
        }
    }

    private func report(_ outcome: SettlementOutcome, _ row: SubmissionRow, requestID: String) {
        let facts: [BackendFact] = [
            .request(requestID), .user(row.user), .submission(row.id),
            .transaction(row.claim.transactionID), .product(row.claim.productID),
        ]
        switch outcome {
        case .granted: log(.purchaseGranted, facts)
        case .alreadyGranted: log(.purchaseAlreadyGranted, facts)
        case .refused(let refusal): log(.receiptRefused, facts + [.detail(refusal.message)])
        case .kept(let reason): log(.receiptKept, facts + [.detail(reason)])
        }
    }
}

/// A broken promise of the database; logged, answered with 500.
struct SettlementTrouble: Error, CustomStringConvertible {
    let detail: String
    var description: String { detail }
}
