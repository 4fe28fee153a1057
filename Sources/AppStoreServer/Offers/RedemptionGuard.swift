import StoreHTTP
import StoreModel
import Synchronization

/// Bounds how often an account may try offer codes in a world, by the real clock: a custom word can
/// be guessed, so a right guess counts like a wrong one.
package final class RedemptionGuard: Sendable {
    private struct Entry {
        let bucket: TokenBucket
        var usedAtMilliseconds: Int64
    }

    private let entries = Mutex<[AccountID: Entry]>([:])

    package init() {}

    /// Takes one try of an account; returns the seconds until the next one when none is left.
    func take(_ account: AccountID, realNow: Timestamp) -> Int64? {
        let now = realNow.milliseconds
        return entries.withLock { entries in
            if entries[account] == nil {
                if entries.count >= Limits.redeemersMax { Self.forgetFull(&entries, now) }
                guard entries.count < Limits.redeemersMax else { return 60 }
            }
            let bucket =
                entries[account]?.bucket
                ?? TokenBucket(
                    atOnceMax: Limits.redemptionsAtOnceMax,
                    perMinuteMax: Limits.redemptionsPerMinuteMax)
            entries[account] = Entry(bucket: bucket, usedAtMilliseconds: now)
            return bucket.take(atMilliseconds: now)
        }
    }

    /// Forgets the accounts whose bucket has filled again.
    private static func forgetFull(_ entries: inout [AccountID: Entry], _ now: Int64) {
        let filling = Limits.redemptionsAtOnceMax * 60_000 / Limits.redemptionsPerMinuteMax
        entries = entries.filter { abs(now - $0.value.usedAtMilliseconds) < filling }
    }
}
