/// A UTC date and time split into its parts, by the proleptic Gregorian calendar.
package struct CalendarDate: Hashable, Sendable {
    package let year: Int
    package let month: Int
    package let day: Int
    package let hour: Int
    package let minute: Int
    package let second: Int

    /// The parts of a moment, after moving it by an offset from UTC in seconds.
    package init(_ moment: Timestamp, offsetSeconds: Int64 = 0) {
        let local = moment.seconds + offsetSeconds
        let dayNumber = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
        let secondOfDay = Int(local - dayNumber * 86_400)
        (year, month, day) = Self.civil(fromDays: Int(dayNumber))
        hour = secondOfDay / 3_600
        minute = secondOfDay / 60 % 60
        second = secondOfDay % 60
    }

    /// `2024-05-01T10:20:30Z`, the form of receipts (RFC 3339, no fraction).
    package var rfc3339: String {
        text(between: "T", end: "Z")
    }

    /// `2024-05-01 10:20:30`, which `verifyReceipt` follows with a zone's name.
    package var spaced: String {
        text(between: " ", end: "")
    }

    /// Built from bytes: a `verifyReceipt` answer writes some dozen dates twice.
    private func text(between middle: Unicode.Scalar, end: String) -> String {
        guard (0...9_999).contains(year) else {
            return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))\(middle)"
                + "\(digits(hour, 2)):\(digits(minute, 2)):\(digits(second, 2))\(end)"
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20)
        func add(_ number: Int, _ separator: Unicode.Scalar?) {
            bytes.append(0x30 + UInt8(number / 10))
            bytes.append(0x30 + UInt8(number % 10))
            if let separator { bytes.append(UInt8(ascii: separator)) }
        }
        add(year / 100, nil)
        add(year % 100, "-")
        add(month, "-")
        add(day, middle)
        add(hour, ":")
        add(minute, ":")
        add(second, nil)
        bytes.append(contentsOf: end.utf8)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Days since 1970-01-01 of a date; the inverse of `civil(fromDays:)`.
    package static func days(year: Int, month: Int, day: Int) -> Int {
        // Years begin in March here, so that the leap day comes last.
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

private func digits(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
}
