import Glibc
import Synchronization

/// The value of `BODEGA_CRASH_POINT`, read once.
enum CrashSwitch {
    static let wanted: (point: CrashPoint, time: Int)? = {
        guard let value = getenv("BODEGA_CRASH_POINT") else { return nil }
        let parts = String(cString: value).split(separator: ":", maxSplits: 1)
        guard let name = parts.first, let point = CrashPoint(rawValue: String(name)) else {
            return nil
        }
        return (point, parts.count == 2 ? Int(parts[1]) ?? 1 : 1)
    }()

    static let count = Counter()

    final class Counter: Sendable {
        private let value = Mutex(0)

        func increment() -> Int {
            value.withLock {
                $0 += 1
                return $0
            }
        }
    }
}
