import StoreHTTP
import StoreModel
import Synchronization

/// Bounds what registering costs a world, since anybody may do it.
///
/// Registrations draw from a bucket that holds `registrationsAtOnceMax` and fills again by
/// `registrationsPerMinuteMax`, by the real clock. Each also looks at a few old devices, round and
/// round, and drops those that nobody used; so rows do not pile up either.
package final class RegistrationGuard: Sendable {
    private let bucket = TokenBucket(
        atOnceMax: Limits.registrationsAtOnceMax, perMinuteMax: Limits.registrationsPerMinuteMax)
    private let lookedAtRow = Mutex<Int64>(0)

    package init() {}

    /// Takes one registration out of the bucket; when it is empty, the seconds until there is one.
    func take(realNow: Timestamp) -> Int64? { bucket.take(atMilliseconds: realNow.milliseconds) }

    /// The device after which the next look for unused ones begins.
    var lookedAt: DeviceID {
        get { DeviceID(lookedAtRow.withLock { $0 }) }
        set { lookedAtRow.withLock { $0 = newValue.rawValue } }
    }
}
