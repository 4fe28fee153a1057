import Foundation
import StoreModel
import Synchronization

/// The wait that a `Retry-After` header requests (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// The wait in milliseconds, cut at the limit; nil for an invalid header.
    static func milliseconds(_ header: String, now: Timestamp, max limit: Int64) -> Int64? {
        if !header.isEmpty, header.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // A number too large to represent is a long time, too.
            let seconds = Int64(header) ?? limit
            return min(seconds, limit / 1_000 + 1) * 1_000 > limit ? limit : seconds * 1_000
        }
        guard let date = formatter().date(from: header) else { return nil }
        let wait = date.timeIntervalSince1970 * 1_000 - Double(now.milliseconds)
        return wait <= 0 ? 0 : wait >= Double(limit) ? limit : Int64(wait)
    }

    /// Made for each use: it is rare, and the class is not safe to share.
    private static func formatter() -> DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter
    }
}

/// When each environment of the store wants to be asked again; lost with the process, while each
/// submission keeps its own next try.
final class StorePauses: Sendable {
    private let ends = Mutex<[StoreEnvironment: Timestamp]>([:])

    /// The rest of a pause, in milliseconds; nil when there is none.
    ///
    /// It is `limit` at most: more is left only when the clock was put back, and the pause is then
    /// counted from now.
    func left(_ environment: StoreEnvironment, now: Timestamp, max limit: Int64) -> Int64? {
        ends.withLock { ends in
            guard let end = ends[environment], end > now else { return nil }
            let bounded = min(end, now.adding(milliseconds: limit))
            ends[environment] = bounded
            return bounded.milliseconds - now.milliseconds
        }
    }

    /// Ends every pause, when the operator does not want to wait.
    func endAll() {
        ends.withLock { $0 = [:] }
    }

    func begin(_ environment: StoreEnvironment, until end: Timestamp) {
        ends.withLock { $0[environment] = max($0[environment] ?? end, end) }
    }
}
