import StoreDatabase
import StoreModel

/// Records what a verified answer says about subscriptions, in the caller's commit.
struct SubscriptionKeeper: Sendable {
    let bundleID: String

    /// How far, in milliseconds, the store's clock may run ahead before the schedule is hurried:
    /// anything due within that time is checked anyway.
    private static let hasteMilliseconds: Int64 = 60_000

    /// Updates every known subscription that an answer lists, whoever sent the receipt, and notes
    /// the store's clock.
    func apply(
        _ scope: borrowing WriteScope, _ receipt: ReceiptSummary, by trial: Trial
    ) throws {
        guard receipt.bundleID == bundleID else { return }
        let estimate = try estimate(scope, receipt.environment, by: trial)
        let storeNow = SubscriptionAnswerRules.clock(of: receipt, estimate: estimate)
        if let storeNow {
            try StoreClockRecords.set(
                scope, receipt.environment, storeNow: storeNow,
                asked: trial.asked?.triedAt ?? trial.now, now: trial.now)
        }
        for (original, periods) in receipt.periods {
            let key = SubscriptionKey(environment: receipt.environment, original: original)
            guard let row = try SubscriptionRecords.find(scope.reading, key) else {
                continue
            }
            var news = SubscriptionAnswerRules.news(
                of: receipt, original: original, periods: periods, estimate: estimate)
            news.isAskedLater = trial.asked.map { $0.triedAt > row.checkedAt } ?? false
            try update(scope, row, news, latestReceipt: receipt.latestReceipt, by: trial)
            try OfferUseRecords.note(scope, periods, of: row.user, in: key.environment)
        }
        if let storeNow {
            try SubscriptionRecords.hasten(
                scope, receipt.environment, storeNow: storeNow, now: trial.now,
                unlessBefore: trial.now.adding(milliseconds: Self.hasteMilliseconds))
        }
    }

    /// Begins to follow a granted subscription, unless it is followed already.
    ///
    /// `sent` is the verified receipt; it is kept for checks when the store does not return one.
    func begin(
        _ scope: borrowing WriteScope, _ candidate: GrantCandidate, _ receipt: ReceiptSummary,
        sent: [UInt8], for user: BackendUserID, by trial: Trial
    ) throws {
        let original = candidate.purchase.originalTransactionID
        let key = SubscriptionKey(environment: receipt.environment, original: original)
        guard try SubscriptionRecords.find(scope.reading, key) == nil else { return }
        let estimate = try estimate(scope, receipt.environment, by: trial)
        let news = SubscriptionAnswerRules.news(
            of: receipt, original: original, periods: receipt.periods[original] ?? [],
            estimate: estimate)
        guard let facts = SubscriptionAnswerRules.next(nil, news) else { return }
        try OfferUseRecords.note(scope, news.periods, of: user, in: receipt.environment)
        var row = SubscriptionRow(
            key: key, user: user, facts: facts,
            receiptHash: try SubscriptionRecords.keep(
                scope, receipt: receipt.latestReceipt ?? sent), checkedAt: trial.now)
        row.schedule(after: nil)
        try SubscriptionRecords.save(scope, row)
        try SubscriptionEventRecords.add(
            scope, .began, row, requestID: trial.requestID, now: trial.now)
        for event in row.facts.events(after: nil) {
            try SubscriptionEventRecords.add(
                scope, event, row, requestID: trial.requestID, now: trial.now)
        }
    }

    /// Notes that a check failed: why, and when the next one is due.
    func fail(
        _ scope: borrowing WriteScope, _ asked: SubscriptionRow, _ trouble: CheckTrouble,
        wait: (SubscriptionRow) -> Int64?, by trial: Trial
    ) throws {
        let found = try SubscriptionRecords.find(scope.reading, asked.key)
        // Otherwise another answer came in the meantime.
        guard var row = found, row == asked else { return }
        row.failures += 1
        if trouble.kind != .silence { row.refusals += 1 }
        row.trouble = trouble.reason
        row.checkedAt = trial.now
        row.nextCheckAt = wait(row).map { trial.now.adding(milliseconds: $0) }
        try SubscriptionRecords.save(scope, row)
    }

    /// The store's clock at an answer without it: the time of the request, since any answer that
    /// came meanwhile is newer.
    private func estimate(
        _ scope: borrowing WriteScope, _ environment: StoreEnvironment, by trial: Trial
    ) throws -> Timestamp {
        try StoreClockRecords.now(
            scope.reading, environment, at: trial.asked?.triedAt ?? trial.now)
    }

    /// Whether a receipt replaces the one that is followed.
    ///
    /// One in the iOS 6 style, as each restored transaction has, includes neither the store's clock
    /// nor the end of a grace period, so a unified one stays unless the store refuses it. So does a
    /// short one before a very long one, since each answer repeats what was sent.
    private func isWorthMore(
        _ scope: borrowing WriteScope, _ receipt: [UInt8], than old: SubscriptionRow
    ) throws -> Bool {
        if old.refusals > 0 { return true }
        let isPlain =
            ReceiptShape.style(receipt) == .unified
            && receipt.count <= BackendLimits.followedReceiptBytesMax
        return try isPlain
            || SubscriptionRecords.style(scope, receiptHash: old.receiptHash) != .unified
    }

    private func update(
        _ scope: borrowing WriteScope, _ old: SubscriptionRow, _ news: SubscriptionNews,
        latestReceipt: [UInt8]?, by trial: Trial
    ) throws {
        guard let facts = SubscriptionAnswerRules.next(old.facts, news) else { return }
        var row = old
        row.facts = facts
        row.checkedAt = trial.now
        if facts.answeredAt == news.answeredAt {
            row.failures = 0
            row.refusals = 0
            row.trouble = nil
            if let latestReceipt, try isWorthMore(scope, latestReceipt, than: old) {
                row.receiptHash = try SubscriptionRecords.keep(scope, receipt: latestReceipt)
            }
            row.schedule(after: old)
        } else if old.isDue(at: trial.now) {
            // The store was put back: it would be asked at once, again and again.
            row.failures += 1
            row.trouble = "the store's answer is older than what is known"
            row.nextCheckAt = trial.now.adding(
                milliseconds: SubscriptionSchedule.wait(
                    afterTroubleWith: facts, wanted: SubscriptionSchedule.dayMilliseconds))
        }
        try SubscriptionRecords.save(scope, row)
        if row.receiptHash != old.receiptHash {
            try SubscriptionRecords.letGo(scope, receiptHash: old.receiptHash)
        }
        for event in row.facts.events(after: old.facts) {
            try SubscriptionEventRecords.add(
                scope, event, row, requestID: trial.requestID, now: trial.now)
        }
    }
}

extension SubscriptionRow {
    /// Whether its time has come, or is further ahead than any wait, because our clock went back.
    func isDue(at now: Timestamp) -> Bool {
        guard let nextCheckAt else { return false }
        return nextCheckAt <= now
            || nextCheckAt > now.adding(milliseconds: SubscriptionSchedule.horizonMilliseconds)
    }

    /// Sets the next check by the newest answer, which came just now.
    ///
    /// Any user's receipt brings one. Without news it only counts as a check if one was due, or the
    /// last one failed: otherwise the next check may come sooner, not later.
    fileprivate mutating func schedule(after old: SubscriptionRow?) {
        var isCheck = true
        if let old {
            let isNews = facts.isNews(after: old.facts)
            let isDue = old.isDue(at: checkedAt)
            quietChecks = isNews ? 0 : old.quietChecks + (isDue ? 1 : 0)
            isCheck = isNews || isDue || old.failures > 0
        }
        let next = SubscriptionSchedule.wait(after: facts, quietChecks: quietChecks).map {
            checkedAt.adding(milliseconds: $0)
        }
        guard !isCheck else {
            nextCheckAt = next
            return
        }
        guard let before = old?.nextCheckAt, let next else { return }
        nextCheckAt = min(before, next)
    }
}

extension SubscriptionFacts {
    /// The state when the store answered.
    private var told: SubscriptionState { state(at: answeredAt) }

    /// Whether anything but the clock differs.
    func isNews(after old: SubscriptionFacts) -> Bool {
        var same = self
        same.answeredAt = old.answeredAt
        same.isClockEstimated = old.isClockEstimated
        // A grace period of unknown end that continues.
        if let end = renewal.graceEndsAt, let before = old.renewal.graceEndsAt,
            end.milliseconds - answeredAt.milliseconds
                == before.milliseconds - old.answeredAt.milliseconds
        {
            same.renewal.graceEndsAt = before
        }
        return same != old || told != old.told
    }

    /// The events between two answers; nil for none before.
    func events(after old: SubscriptionFacts?) -> [SubscriptionEvent] {
        var events: [SubscriptionEvent] = []
        if let old {
            // After a reversed refund the same transaction is served again.
            let isAnother = transactionID != old.transactionID || old.told == .revoked
            if isAnother, told.isServed {
                events.append(old.told.isServed ? .renewed : .recovered)
            }
            if productID != old.productID { events.append(.productChanged) }
            if let renews = renewal.renews, let before = old.renewal.renews, renews != before {
                events.append(renews ? .renewalSwitchedOn : .renewalSwitchedOff)
            }
        }
        if old.map({ $0.told != told }) ?? true {
            switch told {
            case .active, .unsettled, .unconfirmed: break
            case .gracePeriod: events.append(.gracePeriod)
            case .billingRetry: events.append(.billingRetry)
            case .expired: events.append(.expired)
            case .revoked: events.append(.revoked)
            }
        }
        return events
    }
}
