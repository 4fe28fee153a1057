import StoreModel
import Synchronization

/// Bounds what registering costs a world, since anybody may do it.
///
/// Registrations draw from a bucket that holds `registrationsAtOnceMax` and fills again by
/// `registrationsPerMinuteMax`, by the real clock. Each also looks at a few old devices, round and
/// round, and drops those that nobody used; so rows do not pile up either.
package final class RegistrationGuard: Sendable {
    private struct State {
        /// In sixty-thousandths of a registration, so that a millisecond is a whole number.
        var left = RegistrationGuard.full
        var filledAt: Timestamp?
        var lookedAt: Int64 = 0
    }

    private static let unit: Int64 = 60_000
    private static let full = Limits.registrationsAtOnceMax * unit

    private let state = Mutex(State())

    package init() {}

    /// Takes one registration out of the bucket; when it is empty, the seconds until there is one.
    func take(realNow: Timestamp) -> Int64? {
        state.withLock { state in
            let passed = realNow.milliseconds - (state.filledAt ?? realNow).milliseconds
            // A clock that went back fills nothing; one that leapt fills the bucket.
            let milliseconds = min(max(0, passed), Self.full)
            state.filledAt = realNow
            state.left = min(
                Self.full, state.left + milliseconds * Limits.registrationsPerMinuteMax)
            guard state.left >= Self.unit else {
                let missing = Self.unit - state.left
                let perSecond = Limits.registrationsPerMinuteMax * 1_000
                return (missing + perSecond - 1) / perSecond
            }
            state.left -= Self.unit
            return nil
        }
    }

    /// The device after which the next look for unused ones begins.
    var lookedAt: DeviceID {
        get { DeviceID(state.withLock { $0.lookedAt }) }
        set { state.withLock { $0.lookedAt = newValue.rawValue } }
    }
}
