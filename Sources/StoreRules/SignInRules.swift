package import StoreModel

/// Wrong guesses, of an account's password or on a device, in real time.
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
///
/// Every wrong password counts against the device on which it was typed, whatever the name; unless
/// the account has signed in on that device before, it also counts against the name. So strangers
/// lock themselves out first, and a name only where it never signed in. A correct password clears
/// what was guessed at its own name.
package enum SignInRules {
    /// Consecutive wrong passwords before a device is locked for a while.
    package static let deviceFailuresMax = 5
    /// Consecutive wrong passwords of strangers before a name is locked to them for a while.
    package static let nameFailuresMax = 50
    /// The first lock; each further wrong password doubles it.
    package static let lockMillisecondsMin: Int64 = 60_000
    package static let lockMillisecondsMax: Int64 = 3_600_000
    /// How long wrong passwords for a name count on a device after the last of them.
    package static let rememberedMilliseconds: Int64 = 86_400_000

    /// Whole seconds until a password is checked again; nil when it may be checked now.
    package static func secondsLocked(_ record: SignInRecord, now: Timestamp) -> Int64? {
        // A lock further ahead than any lock lasts was set by a wrong clock.
        guard let until = record.lockedUntil, now < until,
            until <= now.adding(milliseconds: lockMillisecondsMax)
        else { return nil }
        return (until.milliseconds - now.milliseconds + 999) / 1_000
    }

    /// The longer of the two waits; a device that `isKnown` is not locked out by strangers.
    package static func secondsLocked(
        device: SignInRecord, name: SignInRecord, isKnown: Bool, now: Timestamp
    ) -> Int64? {
        [secondsLocked(device, now: now), isKnown ? nil : secondsLocked(name, now: now)]
            .compactMap { $0 }.max()
    }

    /// The record after one more wrong password, with a lock from `failuresMax` on.
    package static func afterFailure(
        _ record: SignInRecord, failuresMax: Int, now: Timestamp
    ) -> SignInRecord {
        let failures = record.failures + 1
        guard failures >= failuresMax else {
            return SignInRecord(failures: failures, lockedUntil: nil)
        }
        let doublings = min(failures - failuresMax, 16)
        let lock = min(lockMillisecondsMin << Int64(doublings), lockMillisecondsMax)
        return SignInRecord(failures: failures, lockedUntil: now.adding(milliseconds: lock))
    }
}
