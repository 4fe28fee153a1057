/// A length of time by the calendar: days, or months of their actual lengths.
package enum CalendarSpan: Hashable, Sendable {
    case days(Int)
    case months(Int)

    /// The longest span that is accepted: a year, for subscriptions and their offers.
    package static let monthsMax = 12

    /// Reads an ISO 8601 duration of days, weeks, months or years, as catalogue files write one:
    /// `P3D`, `P2W`, `P6M`, `P1Y`; nil for anything else, and for more than a year unless it may be
    /// longer, as several periods together are.
    package init?(iso8601 text: String, mayBeLonger: Bool = false) {
        guard text.first == "P", let unit = text.last, text.utf8.count <= 7 else { return nil }
        let digits = text.dropFirst().dropLast()
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let count = Int(digits), count > 0
        else { return nil }
        switch unit {
        case "D": self = .days(count)
        case "W": self = .days(7 * count)
        case "M": self = .months(count)
        case "Y": self = .months(12 * count)
        default: return nil
        }
        guard mayBeLonger || isWithinYear else { return nil }
    }

    /// As catalogue files write it: the largest unit that fits.
    package var iso8601: String {
        switch self {
        case .days(let count): count % 7 == 0 ? "P\(count / 7)W" : "P\(count)D"
        case .months(let count): count % 12 == 0 ? "P\(count / 12)Y" : "P\(count)M"
        }
    }

    /// This span multiplied.
    package func times(_ count: Int) -> CalendarSpan {
        switch self {
        case .days(let days): .days(days * count)
        case .months(let months): .months(months * count)
        }
    }

    private var isWithinYear: Bool {
        switch self {
        case .days(let count): count <= 366
        case .months(let count): count <= Self.monthsMax
        }
    }
}

extension Timestamp {
    /// The same time of day that much later, in UTC. If the month lacks that day, its last day is
    /// used: a month after 31 January is the end of February.
    package func adding(_ span: CalendarSpan) -> Timestamp {
        switch span {
        case .days(let count): return adding(milliseconds: Int64(count) * Self.dayMilliseconds)
        case .months(let count):
            let date = CalendarDate(self)
            let month = date.year * 12 + date.month - 1 + count
            // Rounded down, so that years before year 1 continue the count.
            let year = month >= 0 ? month / 12 : (month - 11) / 12
            let first = CalendarDate.days(year: year, month: month - year * 12 + 1, day: 1)
            let next = month + 1
            let nextYear = next >= 0 ? next / 12 : (next - 11) / 12
            let end = CalendarDate.days(
                year: nextYear, month: next - nextYear * 12 + 1, day: 1)
            let day = min(first + date.day - 1, end - 1)
            let today = CalendarDate.days(year: date.year, month: date.month, day: date.day)
            return adding(milliseconds: Int64(day - today) * Self.dayMilliseconds)
        }
    }

    package static let dayMilliseconds: Int64 = 86_400_000
}
