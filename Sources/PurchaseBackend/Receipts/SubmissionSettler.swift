import CrashPoints
import StoreDatabase
import StoreLog
import StoreModel
import StoreWire

/// Settles one stored submission, or keeps it for another try.
///
/// Requests and the worker both use it, also for the same submission at once: the grant has a key
/// of its own, and a submission that ended stays as it is.
struct SubmissionSettler: Sendable {
    let database: Database
    let verifier: StoreVerifier
    let policy: GrantPolicy
    let refundedConsumables: RefundedConsumables
    let keeper: SubscriptionKeeper
    let timings: BackendTimings
    let clock: WallClock
    /// A number from 0 to below 1, for spreading tries.
    let chance: @Sendable () -> Double
    let log: Log

    /// Verifies and grants; blocks for the calls to the store and for the commit.
    ///
    /// Only tries that are spread over time (`isSpread`) count towards believing that a whole
    /// receipt is malformed: a user may send one ten times within a second of trouble.
    func settle(
        _ id: SubmissionID, requestID: String, isSpread: Bool = false
    ) throws -> SettlementOutcome {
        let (row, receipt) = try load(id)
        let report = verifier.verify(receipt)
        let isDoubtful = GrantRules.isDoubtful(report, receipt)
        let trial = Trial(requestID: requestID, now: clock.now(), asked: report.asked)
        let outcome = try database.write { [self] scope in
            // Read again: the operator may have reopened it while the store was asked.
            let row = try SubmissionRecords.find(scope, id) ?? row
            let isBelieved =
                isSpread && row.malformedAnswers + 1 >= BackendLimits.malformedAnswersMax
            let examination: GrantExamination =
                isDoubtful && !isBelieved
                ? .keep(Self.doubt) : GrantRules.examine(row.claim, report.answer, policy)
            if let asked = report.asked {
                try SubmissionRecords.countTry(
                    scope, id, asked, countsAsMalformed: isDoubtful && isSpread)
            }
            try markRefunds(scope, report.answer, by: trial)
            try liftRefunds(scope, of: row.user, report.answer, by: trial)
            let verified = report.answer.receipt.map { Verified(receipt: $0, sent: receipt) }
            if let verified { try keeper.apply(scope, verified.receipt, by: trial) }
            return try write(scope, row, examination, report, verified, by: trial)
        }
        if case .granted = outcome { CrashPoint.backendGrantCommitted.reach() }
        if report.asked?.storeStatus == VerifyAnswer.secretStatus {
            log(.secretRefused, .detail(SharedSecret.advice(hasSecret: verifier.secret != nil)))
        }
        note(outcome, row, requestID: requestID)
        return outcome
    }

    /// A verified receipt, and the bytes that were sent.
    private struct Verified: Sendable {
        let receipt: ReceiptSummary
        let sent: [UInt8]
    }

    static let doubt =
        "the store called a whole receipt malformed (21002), which it also does in trouble"

    /// A submission and its receipt.
    func load(_ id: SubmissionID) throws -> (SubmissionRow, [UInt8]) {
        try database.read { scope in
            guard let row = try SubmissionRecords.find(scope, id),
                let receipt = try SubmissionRecords.receipt(scope, hash: row.receiptHash)
            else { throw SettlementTrouble(detail: "submission \(id) has no row or no receipt") }
            return (row, receipt)
        }
    }

    /// Keeps a submission that could not be verified in time.
    func keep(_ id: SubmissionID, reason: String, requestID: String) throws {
        let trial = Trial(requestID: requestID, now: clock.now())
        try database.write { [self] scope in
            guard let row = try SubmissionRecords.find(scope, id) else { return }
            try keep(scope, row, reason: reason, pauseMilliseconds: nil, by: trial)
        }
    }

    /// Marks what the store revoked, whoever sent the receipt that says so.
    func markRefunds(
        _ scope: borrowing WriteScope, _ answer: VerifyAnswer, by trial: Trial
    ) throws {
        guard case .verified(let receipt) = answer, receipt.bundleID == policy.bundleID else {
            return
        }
        for purchase in receipt.purchases where purchase.isCancelled {
            let marked = try GrantRecords.markRefunded(
                scope, purchase, in: receipt.environment, now: trial.now)
            guard let marked else { continue }
            let kept = try keepUsed(scope, marked)
            var entry = HistoryEntry("refunded", requestID: trial.requestID, now: trial.now)
            entry.asked = trial.asked
            entry.detail =
                "the store revoked transaction \(purchase.transactionID)"
                + (kept > 0 ? "; \(kept) of \(marked.quantity) were used and are kept" : "")
            try HistoryRecords.add(scope, marked.submission, entry)
        }
    }

    /// How much of a refunded consumable its user keeps, by the backend's policy.
    private func keepUsed(
        _ scope: borrowing WriteScope, _ marked: RefundedGrant
    ) throws -> Int64 {
        guard marked.isConsumable else { return 0 }
        let balance = try BalanceRecords.one(scope.reading, of: marked.productID, marked.user)
        let kept = refundedConsumables.kept(of: marked.quantity, leaving: balance.balance)
        if kept > 0 { try GrantRecords.keep(scope, kept, of: marked.key) }
        return kept
    }

    /// Unmarks a user's grants that a receipt newer than the refund lists as not revoked.
    func liftRefunds(
        _ scope: borrowing WriteScope, of user: BackendUserID, _ answer: VerifyAnswer,
        by trial: Trial
    ) throws {
        guard case .verified(let receipt) = answer, receipt.bundleID == policy.bundleID else {
            return
        }
        for mark in try GrantRecords.refunds(scope.reading, of: user)
        where GrantRules.isReversed(mark, in: receipt) { try lift(scope, mark, by: trial) }
    }

    private func lift(
        _ scope: borrowing WriteScope, _ mark: RefundMark, by trial: Trial
    ) throws {
        try GrantRecords.lift(scope, mark, now: trial.now)
        var entry = HistoryEntry("refundReversed", requestID: trial.requestID, now: trial.now)
        entry.asked = trial.asked
        entry.detail = "the store reversed the refund of transaction \(mark.claim.transactionID)"
        try HistoryRecords.add(scope, mark.submission, entry)
    }

    // MARK: - Asking again

    /// A granted submission, about which the store is asked again.
    struct Kept {
        let row: SubmissionRow
        let receipt: [UInt8]
        /// The refunds of its user that were known before the store was asked.
        let refunds: [RefundMark]
    }

    func loadKept(_ id: SubmissionID) throws -> Kept {
        let (row, receipt) = try load(id)
        return Kept(
            row: row, receipt: receipt,
            refunds: try database.read { try GrantRecords.refunds($0, of: row.user) })
    }

    /// Takes over what an answer for a kept receipt says about its user's purchases. An operator
    /// who has it sent (`isOperator`) also believes in a reversal whose refund it never showed.
    func apply(
        _ scope: borrowing WriteScope, _ answer: VerifyAnswer, for kept: Kept,
        isOperator: Bool = false, by trial: Trial
    ) throws {
        guard let receipt = answer.receipt, receipt.bundleID == policy.bundleID else { return }
        try markRefunds(scope, answer, by: trial)
        for mark in try GrantRecords.refunds(scope.reading, of: kept.row.user)
        where mark.submission == kept.row.id {
            if receipt.isCancelled(mark.claim, isKeptByOriginal: mark.isKeptByOriginal) == true {
                try GrantRecords.showRefund(scope, of: mark.key)
            } else if kept.refunds.contains(mark),
                GrantRules.isReversed(mark, inOwn: receipt, isTrusted: isOperator)
            {
                try lift(scope, mark, by: trial)
            }
        }
        try keeper.apply(scope, receipt, by: trial)
        try GrantCheckRecords.noteAnswer(scope, for: kept.row, receipt, now: trial.now, timings)
    }

    // MARK: - Settling

    private func write(
        _ scope: borrowing WriteScope, _ row: SubmissionRow, _ examination: GrantExamination,
        _ report: VerifyReport, _ verified: Verified?, by trial: Trial
    ) throws -> SettlementOutcome {
        switch examination {
        case .keep(let reason):
            try keep(
                scope, row, reason: reason, pauseMilliseconds: report.pauseMilliseconds, by: trial)
            return .kept(reason: reason, isStoreSilent: report.isSilent)
        case .refused(let refusal):
            // A revoked consumable is in no newer receipt: the one that was kept shows it.
            if refusal == .transactionNotInReceipt {
                try GrantCheckRecords.hasten(
                    scope, row.claim, of: row.user, now: trial.now,
                    restMilliseconds: timings.contentFreshMilliseconds)
            }
            return try refuse(scope, row, refusal, by: trial)
        case .candidate(let candidate):
            let outcome = try grant(scope, row, candidate, by: trial)
            if candidate.kind == .autoRenewable, let verified, outcome.isGranted {
                try keeper.begin(
                    scope, candidate, verified.receipt, sent: verified.sent, for: row.user,
                    by: trial)
            }
            return outcome
        }
    }

    private func keep(
        _ scope: borrowing WriteScope, _ row: SubmissionRow, reason: String,
        pauseMilliseconds: Int64?, by trial: Trial
    ) throws {
        let giveUpAt = row.giveUpAt ?? trial.now.adding(milliseconds: timings.keepMilliseconds)
        let next = timings.nextTry(
            now: trial.now, tries: row.roundTries + 1, giveUpAt: giveUpAt,
            pauseMilliseconds: pauseMilliseconds, chance: chance())
        try SubmissionRecords.keep(
            scope, row.id, reason: reason, giveUpAt: giveUpAt, nextTryAt: next, by: trial)
    }

    private func refuse(
        _ scope: borrowing WriteScope, _ row: SubmissionRow, _ refusal: GrantRefusal,
        of purchase: ReceiptSummary.Purchase? = nil, by trial: Trial
    ) throws -> SettlementOutcome {
        let isOwn = try RefusalRecords.isOwn(scope, row, refusal)
        try SubmissionRecords.settle(
            scope, row.id, SubmissionEnd(refused: refusal, purchase, isOwn: isOwn), by: trial)
        try RefusalRecords.dropReceipts(scope, after: row, by: trial)
        return .refused(refusal)
    }

    private func grant(
        _ scope: borrowing WriteScope, _ row: SubmissionRow, _ candidate: GrantCandidate,
        by trial: Trial
    ) throws -> SettlementOutcome {
        let purchase = candidate.purchase
        let holder = try GrantRecords.holder(scope, candidate, for: row.user)
        let nextCheckAt = trial.now.adding(milliseconds: timings.grantCheckMilliseconds)
        let decision = GrantRules.decide(
            for: row.user, purchasedAt: purchase.purchasedAt, holder: holder)
        switch decision {
        case .grant:
            try GrantRecords.insert(
                scope, candidate, terms: policy.terms[purchase.productID], user: row.user,
                submission: row.id, now: trial.now, nextCheckAt: nextCheckAt)
        case .grantAgain:
            try GrantRecords.renew(
                scope, candidate, terms: policy.terms[purchase.productID], submission: row.id,
                now: trial.now, nextCheckAt: nextCheckAt)
        case .renewal: break
        case .alreadyGranted:
            try SubmissionRecords.settle(
                scope, row.id, SubmissionEnd(granted: .alreadyGranted, purchase), by: trial)
            return .alreadyGranted(
                productID: row.claim.productID, transactionID: purchase.transactionID)
        case .refused(let refusal): return try refuse(scope, row, refusal, of: purchase, by: trial)
        }
        try SubmissionRecords.settle(
            scope, row.id, SubmissionEnd(granted: .granted, purchase), by: trial)
        return .granted(productID: row.claim.productID, transactionID: purchase.transactionID)
    }

    private func note(_ outcome: SettlementOutcome, _ row: SubmissionRow, requestID: String) {
        let facts: [BackendFact] = [
            .request(requestID), .user(row.user), .submission(row.id),
            .transaction(row.claim.transactionID), .product(row.claim.productID),
        ]
        switch outcome {
        case .granted: log(.purchaseGranted, facts)
        case .alreadyGranted: log(.purchaseAlreadyGranted, facts)
        case .refused(let refusal): log(.receiptRefused, facts + [.detail(refusal.message)])
        case .kept(let reason, _): log(.receiptKept, facts + [.detail(reason)])
        }
    }
}

/// A broken promise of the database; logged. A waiting app is answered `kept`, since its receipt
/// was accepted.
struct SettlementTrouble: Error, CustomStringConvertible {
    let detail: String
    var description: String { detail }
}
