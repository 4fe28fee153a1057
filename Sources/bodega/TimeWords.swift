import AppStoreServer
import StoreModel

/// Moments and spans of time as typed.
enum TimeWords {
    private static let units: [Character: Int64] = [
        "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000,
    ]

    /// `90s`, `1.5s`, `15m`, `12h` or `30d` in milliseconds, 0 to `most`; `name` is the argument's name.
    static func milliseconds(
        _ text: String, for name: String, most: Int64 = .max
    ) throws -> Int64 {
        guard let unit = text.last.flatMap({ units[$0] }),
            let thousandths = thousandths(text.dropLast())
        else {
            throw UsageError(
                "\(name) \(text) is not an amount of time: write it like 90s, 1.5h or 30d")
        }
        let milliseconds = unit / 1_000 * thousandths
        guard milliseconds <= most else {
            let longest = self.text(milliseconds: most)
            throw UsageError("\(name) \(text) is too long: the maximum is \(longest)")
        }
        return milliseconds
    }

    /// `1.5` as 1500: up to three places, and at most a billion.
    private static func thousandths(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy { ("0"..."9").contains($0) }
        }
        guard parts.count <= 2, areDigits, let whole = Int64(parts[0]), whole <= 1_000_000_000
        else { return nil }
        guard let places = parts.dropFirst().first else { return whole * 1_000 }
        guard places.count <= 3,
            let rest = Int64(places + String(repeating: "0", count: 3 - places.count))
        else { return nil }
        return whole * 1_000 + rest
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
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        guard rest != 0 else { return "\(seconds)s" }
        var places = String(1_000 + rest).dropFirst()
        while places.last == "0" { places.removeLast() }
        return "\(seconds).\(places)s"
    }
}
