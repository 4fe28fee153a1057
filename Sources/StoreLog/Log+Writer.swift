import Glibc

extension Log {
    /// A log whose lines go through a writer, with the time first.
    package init(to writer: LineWriter) {
        self.init(dropped: { writer.dropped }, write: { writer.write(LineTime.now.stamp($0)) })
    }
}

/// The time of a line.
///
/// Source: RFC 3339, 5.6, in UTC and with milliseconds.
struct LineTime {
    let seconds: Int
    let milliseconds: Int

    static var now: LineTime {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        return LineTime(seconds: now.tv_sec, milliseconds: now.tv_nsec / 1_000_000)
    }

    /// A line, which is a JSON object, with the time as its first member.
    func stamp(_ line: String) -> String {
        var stamped = "{\"time\":\""
        stamped += text
        stamped += "\","
        stamped += line.dropFirst()
        return stamped
    }

    /// Such as `2026-11-26T13:00:21.042Z`.
    var text: String {
        let (days, time) = (seconds / 86_400, seconds % 86_400)
        let (year, month, day) = Self.date(ofDay: days)
        // By hand: every request writes a line.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        func add(_ number: Int, _ digits: Int, _ mark: Character) {
            var (left, place) = (number, bytes.count + digits)
            bytes.append(contentsOf: repeatElement(0x30, count: digits))
            while left > 0, place > bytes.count - digits {
                place -= 1
                bytes[place] += UInt8(left % 10)
                left /= 10
            }
            bytes.append(mark.asciiValue ?? 0)
        }
        add(year, 4, "-")
        add(month, 2, "-")
        add(day, 2, "T")
        add(time / 3_600, 2, ":")
        add(time / 60 % 60, 2, ":")
        add(time % 60, 2, ".")
        add(milliseconds, 3, "Z")
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The date of a day since 1970, in the Gregorian calendar.
    ///
    /// Counts in years that begin with March, so that a leap day is the last of its year.
    private static func date(ofDay days: Int) -> (year: Int, month: Int, day: Int) {
        let sinceYear0 = days + 719_468
        let (era, day) = (sinceYear0 / 146_097, sinceYear0 % 146_097)
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let isLate = month >= 10
        return (
            era * 400 + year + (isLate ? 1 : 0), isLate ? month - 9 : month + 3,
            dayOfYear - (153 * month + 2) / 5 + 1
        )
    }
}
