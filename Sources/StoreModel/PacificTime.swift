/// The time of Cupertino (`America/Los_Angeles`), which Apple's answers print beside UTC.
///
/// Follows the daylight-saving rules of the United States from 1967 on and assumes that the current
/// rule stays; before 1967 it gives standard time.
package enum PacificTime {
    package static let standardOffsetSeconds: Int64 = -8 * 3_600
    package static let daylightOffsetSeconds: Int64 = -7 * 3_600

    /// Seconds to add to UTC at a moment.
    package static func offsetSeconds(at moment: Timestamp) -> Int64 {
        isDaylightSaving(at: moment) ? daylightOffsetSeconds : standardOffsetSeconds
    }

    /// The local date and time in Cupertino.
    package static func date(at moment: Timestamp) -> CalendarDate {
        CalendarDate(moment, offsetSeconds: offsetSeconds(at: moment))
    }

    private static func isDaylightSaving(at moment: Timestamp) -> Bool {
        let year = CalendarDate(moment, offsetSeconds: standardOffsetSeconds).year
        guard let days = daylightDays(in: year) else { return false }
        // Both changes happen at 2 a.m. by the time that ends.
        let start = Int64(days.first) * 86_400 + 2 * 3_600 - standardOffsetSeconds
        let end = Int64(days.last) * 86_400 + 2 * 3_600 - daylightOffsetSeconds
        return (start..<end).contains(moment.seconds)
    }

    /// The days of a year, since 1970, on which the clocks change; nil when they do not.
    private static func daylightDays(in year: Int) -> (first: Int, last: Int)? {
        let lastOfOctober = sunday(onOrBefore: 31, of: 10, in: year)
        switch year {
        case ..<1967: return nil
        // In the oil crisis, two years began early.
        case 1974: return (CalendarDate.days(year: year, month: 1, day: 6), lastOfOctober)
        case 1975: return (CalendarDate.days(year: year, month: 2, day: 23), lastOfOctober)
        case ...1986: return (sunday(onOrBefore: 30, of: 4, in: year), lastOfOctober)
        case ...2006: return (sunday(onOrBefore: 7, of: 4, in: year), lastOfOctober)
        default:
            return (
                sunday(onOrBefore: 14, of: 3, in: year), sunday(onOrBefore: 7, of: 11, in: year)
            )
        }
    }

    private static func sunday(onOrBefore day: Int, of month: Int, in year: Int) -> Int {
        let days = CalendarDate.days(year: year, month: month, day: day)
        // 1970-01-01 was a Thursday.
        let weekday = ((days + 4) % 7 + 7) % 7
        return days - weekday
    }
}
