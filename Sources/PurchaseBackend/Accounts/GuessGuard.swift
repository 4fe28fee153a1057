import StoreModel
import StoreSigning
import StoreVerification
import Synchronization

/// Counts wrong passwords per name, known or not, and locks a name after too many.
///
/// Tries that are still being checked count too, so sending many at once does not get around the
/// limit. It lives in memory: a restart forgets it, and only the operator can restart.
final class GuessGuard: Sendable {
    enum Admission: Hashable, Sendable {
        case admitted
        case locked(seconds: Int)
    }

    fileprivate struct Entry {
        var failures = 0
        var pending = 0
        /// When the failures are forgotten, and a lock ends.
        var end: Timestamp
    }

    fileprivate struct State {
        var entries: [[UInt8]: Entry] = [:]
        /// Names in order of arrival, to forget the oldest.
        var order: [[UInt8]] = []
    }

    private let state = Mutex(State())

    /// Names in memory.
    var count: Int { state.withLock { $0.entries.count } }

    /// Admits one try; every admitted one must be `ended`.
    func admit(_ nameKey: String, now: Timestamp) -> Admission {
        let key = Self.key(nameKey)
        return state.withLock { state in
            var entry = state.entries[key] ?? Self.fresh(now)
            // An end beyond the longest lock was written before the clock was put back.
            if entry.end <= now || entry.end > Self.end(now) {
                entry.failures = 0
                entry.end = Self.end(now)
            }
            guard entry.failures < BackendLimits.guessesMax else {
                let milliseconds = entry.end.milliseconds - now.milliseconds
                return .locked(seconds: Int((milliseconds + 999) / 1_000))
            }
            guard entry.failures + entry.pending < BackendLimits.guessesMax else {
                return .locked(seconds: 1)
            }
            entry.pending += 1
            state.set(entry, key)
            return .admitted
        }
    }

    /// A try was checked; nil when it was abandoned before that.
    func ended(_ nameKey: String, isRight: Bool?, now: Timestamp) {
        let key = Self.key(nameKey)
        state.withLock { state in
            guard var entry = state.entries[key] else { return }
            entry.pending = max(entry.pending - 1, 0)
            switch isRight {
            case true?: entry.failures = 0
            case false?:
                entry.failures += 1
                entry.end = Self.end(now)
            case nil: break
            }
            state.set(entry, key)
        }
    }

    private static func fresh(_ now: Timestamp) -> Entry { Entry(end: end(now)) }

    private static func end(_ now: Timestamp) -> Timestamp {
        now.adding(milliseconds: BackendLimits.lockOutMilliseconds)
    }

    /// A key of fixed size, so that long names take no more memory.
    private static func key(_ nameKey: String) -> [UInt8] { sha256(Array(nameKey.utf8)) }
}

extension GuessGuard.State {
    /// Keeps an entry, or forgets an empty one; the oldest goes when there are too many.
    fileprivate mutating func set(_ entry: GuessGuard.Entry, _ key: [UInt8]) {
        if entry.failures == 0, entry.pending == 0 {
            entries[key] = nil
            return
        }
        if entries.updateValue(entry, forKey: key) == nil { order.append(key) }
        // Names forgotten since are still in the order; they are removed in strides.
        guard order.count > 2 * BackendLimits.guessedNamesMax else { return }
        order.removeAll { entries[$0] == nil }
        let surplus = order.count - BackendLimits.guessedNamesMax
        guard surplus > 0 else { return }
        for key in order.prefix(surplus) { entries[key] = nil }
        order.removeFirst(surplus)
    }
}
