package import StoreModel

/// What one answer says of one subscription.
package struct SubscriptionNews: Hashable, Sendable {
    /// Every period that the answer lists, in any order; each has a start and an end.
    package let periods: [ReceiptSummary.Purchase]
    /// Nil when the answer says nothing of the next renewal.
    package let renewal: ReceiptSummary.RenewalInfo?
    /// The store's clock.
    package let answeredAt: Timestamp
    /// Whether the answer said so itself, rather than being dated by when it came.
    package var isDated = true

    package init(
        periods: [ReceiptSummary.Purchase], renewal: ReceiptSummary.RenewalInfo?,
        answeredAt: Timestamp
    ) {
        self.periods = periods
        self.renewal = renewal
        self.answeredAt = answeredAt
    }
}

/// What an answer makes of what is known: values in, values out.
package enum SubscriptionRules {
    /// What is known after an answer; nil when it lists no period and nothing was known.
    ///
    /// Answers may come late and in any order. One that lists no period as new as the newest that
    /// is known, or as new and by an earlier clock, changes nothing but what was taken back: that
    /// stays taken back until a dated answer from after it lists the period as not taken back.
    package static func next(
        _ known: SubscriptionFacts?, _ news: SubscriptionNews
    ) -> SubscriptionFacts? {
        guard let newest = news.periods.filter({ !$0.isUpgraded }).max(by: isOlder) else {
            return known
        }
        if let known, isOld(news, newest, known) { return takingBack(known, news) }
        let revocation = newestRevocation(known, news)
        let standing = news.periods.filter {
            !$0.isUpgraded && !$0.isCancelled && $0.transactionID != revocation?.transactionID
                && $0.end > news.answeredAt
        }
        let current = standing.max(by: isOlder) ?? newest
        let isSamePeriod = known?.transactionID == current.transactionID
        return SubscriptionFacts(
            productID: current.productID, transactionID: current.transactionID,
            purchasedAt: current.start, expiresAt: current.end,
            newestAt: max(newest.start, known?.newestAt ?? newest.start),
            offerID: current.offerID,
            renewal: news.renewal ?? (isSamePeriod ? known?.renewal : nil) ?? .init(),
            revocation: revocation, answeredAt: news.answeredAt)
    }

    /// The store's clock at an answer that has none, from one that was read before.
    ///
    /// The status of the iOS 6 style says on which side of the end it was.
    package static func moment(
        of receipt: ReceiptSummary, periods: [ReceiptSummary.Purchase], estimate: Timestamp
    ) -> Timestamp {
        if let requestedAt = receipt.requestedAt { return requestedAt }
        guard let end = periods.map(\.end).max() else { return estimate }
        switch receipt.verdict {
        case .running: return min(estimate, end.adding(milliseconds: -1))
        case .expired: return max(estimate, end)
        case nil: return estimate
        }
    }

    private static func isOld(
        _ news: SubscriptionNews, _ newest: ReceiptSummary.Purchase, _ known: SubscriptionFacts
    ) -> Bool {
        if newest.start != known.newestAt { return newest.start < known.newestAt }
        return news.answeredAt < known.answeredAt
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

    private static func newestRevocation(
        _ known: SubscriptionFacts?, _ news: SubscriptionNews
    ) -> SubscriptionFacts.Revocation? {
        let before = known.flatMap { known in
            known.revocation.flatMap { isReversed($0, known, news) ? nil : $0 }
        }
        guard let newest = news.periods.filter(\.isCancelled).max(by: isOlder) else {
            return before
        }
        if let before,
            let period = news.periods.first(where: { $0.transactionID == before.transactionID }),
            !isOlder(period, newest)
        {
            return before
        }
        return revocation(newest, news)
    }

    /// The dates of cancellations have no milliseconds, so that an answer of the very second does
    /// not count.
    private static func isReversed(
        _ revocation: SubscriptionFacts.Revocation, _ known: SubscriptionFacts,
        _ news: SubscriptionNews
    ) -> Bool {
        guard news.isDated, news.answeredAt > known.answeredAt,
            news.answeredAt.seconds > revocation.at.seconds
        else { return false }
        return news.periods.contains {
            $0.transactionID == revocation.transactionID && !$0.isCancelled
        }
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
    /// Reading refuses a period without either.
    fileprivate var start: Timestamp { purchasedAt ?? Timestamp.range.lowerBound }
    fileprivate var end: Timestamp { expiresAt ?? start }
}
