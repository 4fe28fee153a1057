package import StoreModel

/// Wrong guesses of an account's password, in real time.
package struct SignInRecord: Hashable, Sendable {
    package let failures: Int
    package let lockedUntil: Timestamp?

    package init(failures: Int, lockedUntil: Timestamp?) {
        self.failures = failures
        self.lockedUntil = lockedUntil
    }

    package static let clean = SignInRecord(failures: 0, lockedUntil: nil)
}

/// Slows guessing down without ever locking a customer out for good.
package enum SignInRules {
    /// Consecutive wrong passwords before the account is locked for a while.
    package static let failuresMax = 5
    /// The first lock; each further wrong password doubles it.
    package static let lockMillisecondsMin: Int64 = 60_000
    package static let lockMillisecondsMax: Int64 = 3_600_000

    /// Whole seconds until a password is checked again; nil when it may be checked now.
    package static func secondsLocked(_ record: SignInRecord, now: Timestamp) -> Int64? {
        // A lock further ahead than any lock lasts was set by a wrong clock.
        guard let until = record.lockedUntil, now < until,
            until <= now.adding(milliseconds: lockMillisecondsMax)
        else { return nil }
        return (until.milliseconds - now.milliseconds + 999) / 1_000
    }

    /// The record after one more wrong password.
    package static func afterFailure(_ record: SignInRecord, now: Timestamp) -> SignInRecord {
        let failures = record.failures + 1
        guard failures >= failuresMax else {
            return SignInRecord(failures: failures, lockedUntil: nil)
        }
        let doublings = min(failures - failuresMax, 16)
        let lock = min(lockMillisecondsMin << Int64(doublings), lockMillisecondsMax)
        return SignInRecord(failures: failures, lockedUntil: now.adding(milliseconds: lock))
    }
}
