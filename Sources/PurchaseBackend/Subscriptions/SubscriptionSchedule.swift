import StoreModel

/// When the store is asked about a subscription again, in proportion to the length of its periods.
///
/// Waits are in milliseconds, from the moment of the answer by the store's clock; the backend waits
/// as long by its own.
package enum SubscriptionSchedule {
    /// The shortest wait between two checks.
    package static let waitMillisecondsMin: Int64 = 1_000
    package static let dayMilliseconds: Int64 = 86_400_000
    /// The longest time between an end and the check that follows it.
    private static let lagMillisecondsMax: Int64 = 60_000
    /// Longer than any wait.
    static let horizonMilliseconds: Int64 = 2 * dayMilliseconds
    /// Checks after the end, or with a store that refuses, until no more are planned.
    package static let quietChecksMax: Int64 = 60

    /// The wait after an answer. `quietChecks` counts earlier ones that brought nothing new. Nil
    /// when the subscription ended so long ago that no more checks are planned.
    package static func wait(after facts: SubscriptionFacts, quietChecks: Int64) -> Int64? {
        let now = facts.answeredAt
        switch facts.state(at: now) {
        // The store's clock stands anywhere before the end.
        case .active where facts.runsByStatus: return bounded(soon(facts, quietChecks))
        case .active, .unconfirmed:
            let wait = until(facts.expiresAt, now, facts)
            // Not a minute before the end, only to be checked again after it.
            return max(
                wait <= dayMilliseconds + lagMillisecondsMax ? wait : dayMilliseconds,
                waitMillisecondsMin)
        case .unsettled: return bounded(soon(facts, quietChecks))
        case .gracePeriod:
            let end = facts.renewal.graceEndsAt.map { until($0, now, facts) }
            return bounded(
                min(retry(facts, quietChecks), end ?? dayMilliseconds))
        case .billingRetry: return bounded(retry(facts, quietChecks))
        case .expired(let reason):
            guard quietChecks < quietChecksMax else { return nil }
            // It was set to renew, and the store does not say why it did not: it may be about to.
            let isUndecided = reason == nil && facts.renewal.renews == true
            return bounded(isUndecided ? retry(facts, quietChecks) : usual(facts))
        case .revoked: return quietChecks < quietChecksMax ? bounded(usual(facts)) : nil
        }
    }

    /// The wait after a try without a clear answer, in proportion; `wanted` is the wait regardless
    /// of the subscription.
    package static func wait(afterTroubleWith facts: SubscriptionFacts, wanted: Int64) -> Int64 {
        bounded(min(wanted, max(facts.periodMilliseconds / 2, waitMillisecondsMin)))
    }

    /// The wait after the store refused the receipt; nil when it has done so too often.
    package static func wait(
        afterRefusalOf facts: SubscriptionFacts, refusals: Int64
    ) -> Int64? {
        refusals >= quietChecksMax ? nil : bounded(retry(facts, refusals))
    }

    /// The wait after the store called a whole receipt malformed, as it also does in trouble: it
    /// doubles up to a day, so that it is at most as long as the trouble. `doubts` counts those in
    /// a row, and refusals; nil when there were too many.
    package static func wait(afterDoubts doubts: Int64, first: Int64) -> Int64? {
        guard doubts < quietChecksMax else { return nil }
        return bounded(first << min(max(doubts - 1, 0), 20))
    }

    /// Until shortly after a moment.
    private static func until(
        _ moment: Timestamp, _ now: Timestamp, _ facts: SubscriptionFacts
    ) -> Int64 {
        moment.milliseconds - now.milliseconds + lag(facts)
    }

    /// A sixtieth of the period, a minute at most.
    private static func lag(_ facts: SubscriptionFacts) -> Int64 {
        min(max(sixtieth(facts), waitMillisecondsMin), lagMillisecondsMax)
    }

    /// The same, doubling up to an eighth of the time in which a late renewal does not leave a gap.
    private static func soon(_ facts: SubscriptionFacts, _ tries: Int64) -> Int64 {
        min(lag(facts) << min(tries, 20), longestRetry(facts.leewayMilliseconds))
    }

    /// Once a day, or once a period if that is shorter.
    private static func usual(_ facts: SubscriptionFacts) -> Int64 {
        min(dayMilliseconds, facts.periodMilliseconds)
    }

    /// A sixtieth of the period, 10 minutes at most, doubling up to an eighth of it or a day.
    private static func retry(_ facts: SubscriptionFacts, _ tries: Int64) -> Int64 {
        let first = max(min(sixtieth(facts), 600_000), waitMillisecondsMin)
        return min(first << min(tries, 20), longestRetry(facts.periodMilliseconds))
    }

    private static func longestRetry(_ periodMilliseconds: Int64) -> Int64 {
        max(min(periodMilliseconds / 8, dayMilliseconds), waitMillisecondsMin)
    }

    /// How long a grace period of unknown end lasts after an answer: the longest wait until the
    /// next one, plus an hour at most for it to arrive.
    static func graceMilliseconds(ofPeriod periodMilliseconds: Int64) -> Int64 {
        longestRetry(periodMilliseconds)
            + SubscriptionFacts.leewayMilliseconds(ofPeriod: periodMilliseconds)
    }

    private static func sixtieth(_ facts: SubscriptionFacts) -> Int64 {
        facts.periodMilliseconds / 60
    }

    private static func bounded(_ wait: Int64) -> Int64 {
        min(max(wait, waitMillisecondsMin), dayMilliseconds)
    }
}
