import StoreDatabase
import StoreLog
import StoreModel

/// Asks the store about one subscription, with the newest receipt that there is of it.
struct SubscriptionChecker: Sendable {
    let database: Database
    let settler: SubmissionSettler
    let log: Log

    /// Verifies and writes down; blocks for a call to the store and for the commit.
    func check(_ key: SubscriptionKey) throws {
        let found = try database.read { scope in
            try SubscriptionQueries.find(scope, key).map { row in
                (row: row, receipt: try SubscriptionQueries.receipt(scope, hash: row.receiptHash))
            }
        }
        guard let found, let receipt = found.receipt else { return }
        let report = settler.verifier.verify(receipt, in: key.environment)
        let trial = Trial(
            requestID: SubmissionWorker.requestID, now: settler.clock.now(), asked: report.asked)
        let trouble = Self.trouble(report.answer, key, bundleID: settler.policy.bundleID)
        let now = try database.write { scope in
            if let trouble {
                try settler.keeper.fail(
                    scope, found.row, trouble, wait: { wait($0, report) }, by: trial)
            } else if case .verified(let summary) = report.answer {
                try settler.markRefunds(scope, report.answer, by: trial)
                try settler.keeper.apply(scope, summary, by: trial)
            }
            return try scope.reading { try SubscriptionQueries.find($0, key) }
        }
        note(now, before: found.row, trouble, report)
    }

    /// Moves one back that cannot be checked for a fault of ours, so that it does not stand before
    /// the others.
    func postpone(_ key: SubscriptionKey, because error: any Error) throws {
        let trial = Trial(requestID: SubmissionWorker.requestID, now: settler.clock.now())
        let trouble = "the backend failed: \(String("\(error)".prefix(200)))"
        let timings = settler.timings
        try database.write { [settler] scope in
            guard let row = try scope.reading({ try SubscriptionQueries.find($0, key) }) else {
                return
            }
            try settler.keeper.fail(
                scope, row, trouble, wait: { timings.retryDelay(tries: $0.failures) }, by: trial)
        }
    }

    /// Why an answer says nothing of the subscription; nil when it does.
    private static func trouble(
        _ answer: VerifyAnswer, _ key: SubscriptionKey, bundleID: String
    ) -> String? {
        switch answer {
        case .retry(let reason, _): reason
        case .refused(let status): GrantRefusal.storeRefused(status: status).message
        case .verified(let receipt) where receipt.bundleID != bundleID:
            GrantRefusal.wrongBundle.message
        case .verified(let receipt) where receipt.periods[key.original] == nil:
            "the store does not list the subscription any more"
        case .verified: nil
        }
    }

    private func wait(_ row: SubscriptionRow, _ report: VerifyReport) -> Int64? {
        guard case .retry = report.answer else {
            return SubscriptionSchedule.wait(afterRefusalOf: row.facts, failures: row.failures)
        }
        if let pause = report.pauseMilliseconds { return pause }
        return SubscriptionSchedule.wait(
            afterTroubleWith: row.facts,
            wanted: settler.timings.retryDelay(tries: row.failures))
    }

    private func note(
        _ row: SubscriptionRow?, before: SubscriptionRow, _ trouble: String?,
        _ report: VerifyReport
    ) {
        let facts: [BackendFact] = [
            .request(SubmissionWorker.requestID), .user(before.user),
            .transaction(before.key.original),
            .product(row?.facts.productID ?? before.facts.productID),
        ]
        if let trouble {
            if report.asked?.storeStatus == VerifyAnswer.secretStatus {
                log(.secretRefused, .detail(trouble))
            }
            log(.subscriptionCheckFailed, facts + [.detail(trouble)])
        } else if let row, row.facts.isNews(after: before.facts) {
            let events = row.facts.events(after: before.facts).map(\.rawValue)
            log(.subscriptionChanged, facts + [.detail(events.joined(separator: ", "))])
        }
    }
}
