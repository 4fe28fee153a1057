import AppStoreServer
import StoreModel

/// Moments and spans of time as typed.
enum TimeWords {
    private static let units: [Character: Int64] = [
        "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000,
    ]

    /// `90s`, `15m`, `12h` or `30d` in milliseconds, 0 to `most`; `name` is the argument's name.
    static func milliseconds(
        _ text: String, for name: String, most: Int64 = .max
    ) throws -> Int64 {
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()),
            count >= 0, count <= 1_000_000_000
        else {
            throw UsageError(
                "\(name) \(text) is not an amount of time: write it like 90s, 15m, 12h or 30d")
        }
        guard unit * count <= most else {
            let longest = self.text(milliseconds: most)
            throw UsageError("\(name) \(text) is too long: the maximum is \(longest)")
        }
        return unit * count
    }

    /// `2026-03-31` or `2026-03-31T12:00:00Z`; `name` is the argument's name.
    static func moment(_ text: String, for name: String) throws -> Timestamp {
        guard let time = Timestamp(rfc3339: text), Limits.times.contains(time) else {
            throw UsageError(
                "\(name) \(text) is not a time from 2000 to 2099: write it like 2026-03-31 or "
                    + "2026-03-31T12:00:00Z")
        }
        return time
    }

    /// A moment as printed.
    static func text(_ time: Timestamp) -> String { CalendarDate(time).rfc3339 }

    /// A span as typed, in the largest unit that fits.
    static func text(milliseconds: Int64) -> String {
        for unit in ["d", "h", "m"] as [Character] {
            guard let length = units[unit], milliseconds >= length, milliseconds % length == 0
            else { continue }
            return "\(milliseconds / length)\(unit)"
        }
        return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000)s" : "\(milliseconds)ms"
    }
}
