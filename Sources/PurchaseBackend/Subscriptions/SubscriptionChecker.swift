import StoreDatabase
import StoreLog
import StoreModel

/// Asks the store about one subscription, with its newest receipt.
struct SubscriptionChecker: DueChecks {
    let database: Database
    let settler: SubmissionSettler
    let log: Log

    func due(
        _ scope: borrowing ReadScope, now: Timestamp, countMax: Int
    ) throws -> [SubscriptionKey] {
        try SubscriptionRecords.due(
            scope, now: now, waitMillisecondsMax: SubscriptionSchedule.horizonMilliseconds,
            countMax: countMax)
    }

    func nextDue(_ scope: borrowing ReadScope) throws -> Timestamp? {
        try SubscriptionRecords.nextDue(scope)
    }

    func check(_ key: SubscriptionKey) throws {
        guard let row = try database.read({ try SubscriptionRecords.find($0, key) }),
            row.isDue(at: settler.clock.now())
        else { return }
        try ask(key)
    }

    /// Asks the store about a subscription, whether it is due or not.
    func ask(_ key: SubscriptionKey) throws {
        let found = try database.read { scope in
            try SubscriptionRecords.find(scope, key).map { row in
                (row: row, receipt: try SubscriptionRecords.receipt(scope, hash: row.receiptHash))
            }
        }
        guard let found, let receipt = found.receipt else { return }
        let report = settler.verifier.verify(receipt, in: key.environment)
        let trial = Trial(
            requestID: SubmissionWorker.requestID, now: settler.clock.now(), asked: report.asked)
        let trouble = CheckTrouble(report, of: receipt, bundleID: settler.policy.bundleID) {
            $0.periods[key.original] != nil
                ? nil : "the store no longer lists the subscription"
        }
        let now = try database.write { scope in
            if let trouble {
                try settler.keeper.fail(
                    scope, found.row, trouble, wait: { wait($0, trouble, report) }, by: trial)
            } else if case .verified(let summary) = report.answer {
                try settler.markRefunds(scope, report.answer, by: trial)
                try settler.keeper.apply(scope, summary, by: trial)
            }
            return try SubscriptionRecords.find(scope.reading, key)
        }
        note(now, before: found.row, trouble, report)
    }

    func postpone(_ key: SubscriptionKey, because error: any Error) throws {
        let trial = Trial(requestID: SubmissionWorker.requestID, now: settler.clock.now())
        let trouble = CheckTrouble(ofOurs: error)
        let timings = settler.timings
        try database.write { [settler] scope in
            guard let row = try SubscriptionRecords.find(scope.reading, key) else {
                return
            }
            try settler.keeper.fail(
                scope, row, trouble, wait: { timings.retryDelay(tries: $0.failures) }, by: trial)
        }
    }

    private func wait(
        _ row: SubscriptionRow, _ trouble: CheckTrouble, _ report: VerifyReport
    ) -> Int64? {
        switch trouble.kind {
        case .refusal:
            return SubscriptionSchedule.wait(afterRefusalOf: row.facts, refusals: row.refusals)
        case .doubt:
            return SubscriptionSchedule.wait(
                afterDoubts: row.refusals, first: settler.timings.retryMilliseconds)
        case .silence:
            return report.pauseMilliseconds
                ?? SubscriptionSchedule.wait(
                    afterTroubleWith: row.facts,
                    wanted: settler.timings.retryDelay(tries: row.failures))
        }
    }

    private func note(
        _ row: SubscriptionRow?, before: SubscriptionRow, _ trouble: CheckTrouble?,
        _ report: VerifyReport
    ) {
        let facts: [BackendFact] = [
            .request(SubmissionWorker.requestID), .user(before.user),
            .transaction(before.key.original),
            .product(row?.facts.productID ?? before.facts.productID),
        ]
        if let trouble {
            if report.asked?.storeStatus == VerifyAnswer.secretStatus {
                log(.secretRefused, .detail(trouble.reason))
            }
            log(.subscriptionCheckFailed, facts + [.detail(trouble.reason)])
        } else if let row, row.facts.isNews(after: before.facts) {
            let events = row.facts.events(after: before.facts).map(\.rawValue)
            log(.subscriptionChanged, facts + [.detail(events.joined(separator: ", "))])
        }
    }
}
