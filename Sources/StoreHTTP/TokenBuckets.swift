import Synchronization

/// A token bucket for each of many callers, such as accounts or addresses; for a bounded number of
/// them, since a full bucket need not be remembered.
package final class TokenBuckets<Caller: Hashable & Sendable>: Sendable {
    private struct Entry {
        let bucket: TokenBucket
        var usedAtMilliseconds: Int64
    }

    private let atOnceMax: Int64
    private let perMinuteMax: Int64
    private let callersMax: Int
    private let entries = Mutex<[Caller: Entry]>([:])

    package init(atOnceMax: Int64, perMinuteMax: Int64, callersMax: Int) {
        self.atOnceMax = atOnceMax
        self.perMinuteMax = perMinuteMax
        self.callersMax = callersMax
    }

    /// Takes one token of a caller; gives the seconds until there is one when none is left, or when
    /// too many callers have used theirs lately.
    package func take(_ caller: Caller, atMilliseconds now: Int64) -> Int64? {
        entries.withLock { entries in
            if entries[caller] == nil {
                if entries.count >= callersMax { forgetFull(&entries, now) }
                guard entries.count < callersMax else { return 60 }
            }
            let bucket =
                entries[caller]?.bucket
                ?? TokenBucket(atOnceMax: atOnceMax, perMinuteMax: perMinuteMax)
            entries[caller] = Entry(bucket: bucket, usedAtMilliseconds: now)
            return bucket.take(atMilliseconds: now)
        }
    }

    /// The seconds until a caller has a token; nil when it has one, which is not taken.
    package func wait(_ caller: Caller, atMilliseconds now: Int64) -> Int64? {
        entries.withLock { $0[caller]?.bucket }?.wait(atMilliseconds: now)
    }

    /// Forgets the callers whose bucket has filled again.
    private func forgetFull(_ entries: inout [Caller: Entry], _ now: Int64) {
        let filling = atOnceMax * 60_000 / perMinuteMax
        entries = entries.filter { abs(now - $0.value.usedAtMilliseconds) < filling }
    }
}
