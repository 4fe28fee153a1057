package import StoreModel

/// What one answer says about one subscription.
package struct SubscriptionNews: Hashable, Sendable {
    /// Every period that the answer lists, in any order; each has a start and an end.
    package let periods: [ReceiptSummary.Purchase]
    /// Nil when the answer says nothing about the next renewal.
    package let renewal: ReceiptSummary.RenewalInfo?
    /// The store's clock.
    package let answeredAt: Timestamp
    /// Whether the answer does not include it.
    package let isClockEstimated: Bool
    /// The transactions of periods that the answer lists in their current state.
    package let listed: Set<String>
    /// Whether the store called the subscription expired, and not by its dates alone.
    package let isOver: Bool
    /// Whether it may have done so because it has not processed the renewal yet.
    package var isLate = false
    /// Whether it was asked for after the last answer had come, by our clock. Estimates of the
    /// store's clock do not tell that: each is only as good as what was known then.
    package var isAskedLater = false

    package init(
        periods: [ReceiptSummary.Purchase], renewal: ReceiptSummary.RenewalInfo?,
        answeredAt: Timestamp, listed: Set<String> = [], isOver: Bool = false,
        isClockEstimated: Bool = false
    ) {
        self.periods = periods
        self.renewal = renewal
        self.answeredAt = answeredAt
        self.listed = listed
        self.isOver = isOver
        self.isClockEstimated = isClockEstimated
    }
}

/// Combines an answer with the facts known before: values in, values out.
package enum SubscriptionAnswerRules {
    /// The facts after an answer; nil when it lists no period and nothing was known.
    ///
    /// Answers may come late and in any order. If an answer's newest period is older than the
    /// newest known one, or is the same by an earlier clock, the answer only adds revocations. A
    /// revoked period stays revoked until a later answer lists it in its current state, without the
    /// refund.
    package static func next(
        _ known: SubscriptionFacts?, _ news: SubscriptionNews
    ) -> SubscriptionFacts? {
        guard let newest = news.periods.filter({ !$0.isUpgraded }).max(by: isOlder) else {
            return known
        }
        if let known, isOld(news, newest, known) { return takingBack(known, news) }
        let known = known.map { givingBack($0, news) }
        let revocation = newestRevocation(known, news)
        let standing = news.periods.filter {
            !$0.isUpgraded && !$0.isCancelled && $0.transactionID != revocation?.transactionID
                && $0.end > news.answeredAt
        }
        let current = standing.max(by: isOlder) ?? newest
        let before = known?.transactionID == current.transactionID ? known : nil
        return SubscriptionFacts(
            productID: current.productID, transactionID: current.transactionID,
            purchasedAt: current.start, expiresAt: current.end,
            newestAt: max(newest.start, known?.newestAt ?? newest.start),
            // The iOS 6 style does not name it.
            offerID: current.offerID ?? before?.offerID,
            renewal: renewal(news, before: before?.renewal),
            revocation: revocation, answeredAt: news.answeredAt,
            isClockEstimated: news.isClockEstimated)
    }

    /// The facts about the next renewal; `before` is those of the same period. A grace period whose
    /// end was once reported ends then, even if a later answer leaves the end out.
    private static func renewal(
        _ news: SubscriptionNews, before: ReceiptSummary.RenewalInfo?
    ) -> ReceiptSummary.RenewalInfo {
        var renewal = news.renewal ?? before ?? .init()
        // What was over before the clock was known to be past the end is not late.
        renewal.isOver = news.isOver && (!news.isLate || before?.isOver == true)
        if renewal.isGraceEstimated, let before, !before.isGraceEstimated,
            let told = before.graceEndsAt, news.answeredAt < told
        {
            renewal.graceEndsAt = told
            renewal.isGraceEstimated = false
        }
        return renewal
    }

    /// The store's clock at an answer; one that leaves it out is dated by `estimate`.
    ///
    /// The status of the iOS 6 style says on which side of the end it was, whatever our estimate;
    /// its newest period has begun, or is about to. While a payment is being retried it only says
    /// that the subscription is served, as in a grace period.
    package static func moment(
        of receipt: ReceiptSummary, periods: [ReceiptSummary.Purchase], estimate: Timestamp
    ) -> Timestamp {
        if let requestedAt = receipt.requestedAt { return requestedAt }
        guard let end = lastEnd(periods) else { return estimate }
        switch receipt.verdict {
        case .running where isRetried(receipt, periods): return estimate
        case .running:
            return min(max(estimate, lastStart(periods)), end.adding(milliseconds: -1))
        case .expired: return max(estimate, end)
        case nil: return estimate
        }
    }

    /// What an answer says about the store's clock; nil when that is no more than was estimated.
    package static func clock(of receipt: ReceiptSummary, estimate: Timestamp) -> Timestamp? {
        if let requestedAt = receipt.requestedAt { return requestedAt }
        let moment = moment(
            of: receipt, periods: receipt.periods.values.flatMap { $0 }, estimate: estimate)
        return moment == estimate ? nil : moment
    }

    /// An answer's facts about one of the subscriptions that it lists.
    ///
    /// The iOS 6 style may call one valid after its end while a payment is being retried, without
    /// the end of that grace period: it is then extended until after the next answer.
    package static func news(
        of receipt: ReceiptSummary, original: String, periods: [ReceiptSummary.Purchase],
        estimate: Timestamp
    ) -> SubscriptionNews {
        let answeredAt = moment(of: receipt, periods: periods, estimate: estimate)
        var renewal = receipt.renewals[original]
        guard receipt.verdict == .running, renewal?.isRetried == true,
            let newest = periods.max(by: isOlder), let end = lastEnd(periods)
        else {
            var news = SubscriptionNews(
                periods: periods, renewal: renewal, answeredAt: answeredAt,
                listed: receipt.listed, isOver: receipt.verdict == .expired,
                isClockEstimated: receipt.requestedAt == nil)
            news.isLate = isLate(periods, renewal, estimate: estimate)
            return news
        }
        if (renewal?.graceEndsAt ?? end) <= answeredAt, end <= answeredAt {
            renewal?.graceEndsAt = answeredAt.adding(
                milliseconds: SubscriptionSchedule.graceMilliseconds(
                    ofPeriod: newest.end.milliseconds - newest.start.milliseconds))
            renewal?.isGraceEstimated = true
        } else if renewal?.graceEndsAt == nil {
            renewal?.isGraceEstimated = true
        }
        return SubscriptionNews(
            periods: periods, renewal: renewal, answeredAt: answeredAt, listed: receipt.listed,
            isClockEstimated: receipt.requestedAt == nil)
    }

    /// Whether a store that calls a subscription expired may not have processed its renewal yet: it
    /// is set to renew, no reason is given, and by our clock the period has just ended. With a
    /// store whose clock is far from ours this cannot be known.
    private static func isLate(
        _ periods: [ReceiptSummary.Purchase], _ renewal: ReceiptSummary.RenewalInfo?,
        estimate: Timestamp
    ) -> Bool {
        guard let renewal, renewal.renews == true, renewal.intent == nil,
            renewal.isRetried != true, let newest = periods.max(by: isOlder)
        else { return false }
        let leeway = SubscriptionFacts.leewayMilliseconds(
            ofPeriod: newest.end.milliseconds - newest.start.milliseconds)
        return newest.end <= estimate && estimate < newest.end.adding(milliseconds: leeway)
    }

    /// The latest end of a period that was not cut short.
    private static func lastEnd(_ periods: [ReceiptSummary.Purchase]) -> Timestamp? {
        periods.filter { !$0.isCancelled && !$0.isUpgraded }.map(\.end).max()
    }

    /// The moment before which a store did not know of the newest of these periods: it may renew a
    /// day before a period begins, or one period if that is shorter.
    private static func lastStart(_ periods: [ReceiptSummary.Purchase]) -> Timestamp {
        let starts = periods.filter { !$0.isCancelled && !$0.isUpgraded }.map { period in
            period.start.adding(
                milliseconds: -min(
                    SubscriptionSchedule.dayMilliseconds,
                    max(period.end.milliseconds - period.start.milliseconds, 0)))
        }
        return starts.max() ?? Timestamp.range.lowerBound
    }

    private static func isRetried(
        _ receipt: ReceiptSummary, _ periods: [ReceiptSummary.Purchase]
    ) -> Bool {
        periods.contains { receipt.renewals[$0.originalTransactionID]?.isRetried == true }
    }

    private static func isOld(
        _ news: SubscriptionNews, _ newest: ReceiptSummary.Purchase, _ known: SubscriptionFacts
    ) -> Bool {
        if newest.start != known.newestAt { return newest.start < known.newestAt }
        return !outranks(news, known) && news.answeredAt < known.answeredAt
    }

    /// Whether an answer counts whatever its time. One that includes the store's clock outranks
    /// facts that do not: that clock may stand still, as a test's does, while an estimate goes on.
    /// Of two estimates, the one that was asked for later counts.
    private static func outranks(_ news: SubscriptionNews, _ known: SubscriptionFacts) -> Bool {
        known.isClockEstimated && (!news.isClockEstimated || news.isAskedLater)
    }

    private static func takingBack(
        _ known: SubscriptionFacts, _ news: SubscriptionNews
    ) -> SubscriptionFacts {
        var known = known
        let ours = news.periods.first {
            $0.isCancelled && $0.transactionID == known.transactionID
        }
        if let ours { known.revocation = revocation(ours, news) }
        return known
    }

    /// Without a refund that the store has since reversed.
    private static func givingBack(
        _ known: SubscriptionFacts, _ news: SubscriptionNews
    ) -> SubscriptionFacts {
        guard let revoked = known.revocation?.transactionID,
            known.answeredAt < news.answeredAt || outranks(news, known),
            news.listed.contains(revoked),
            let period = news.periods.first(where: { $0.transactionID == revoked }),
            !period.isCancelled
        else { return known }
        var known = known
        known.revocation = nil
        return known
    }

    private static func newestRevocation(
        _ known: SubscriptionFacts?, _ news: SubscriptionNews
    ) -> SubscriptionFacts.Revocation? {
        guard let newest = news.periods.filter(\.isCancelled).max(by: isOlder) else {
            return known?.revocation
        }
        if let before = known?.revocation,
            let period = news.periods.first(where: { $0.transactionID == before.transactionID }),
            !isOlder(period, newest)
        {
            return before
        }
        return revocation(newest, news)
    }

    private static func revocation(
        _ period: ReceiptSummary.Purchase, _ news: SubscriptionNews
    ) -> SubscriptionFacts.Revocation {
        .init(
            transactionID: period.transactionID, at: period.cancelledAt ?? news.answeredAt)
    }

    private static func isOlder(
        _ left: ReceiptSummary.Purchase, _ right: ReceiptSummary.Purchase
    ) -> Bool {
        (left.start, left.end, left.transactionID) < (right.start, right.end, right.transactionID)
    }
}

extension ReceiptSummary {
    /// The periods of auto-renewable subscriptions, by their original transaction.
    var periods: [String: [Purchase]] {
        Dictionary(grouping: purchases.filter { $0.expiresAt != nil }, by: \.originalTransactionID)
    }
}

extension ReceiptSummary.Purchase {
    /// Reading refuses a period that lacks either.
    fileprivate var start: Timestamp { purchasedAt ?? Timestamp.range.lowerBound }
    fileprivate var end: Timestamp { expiresAt ?? start }
}
