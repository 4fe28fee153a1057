extension Timestamp {
    /// The moment written as `2024-05-01T10:20:30Z` or `2024-05-01`, or nil for anything else.
    package init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10 || (bytes.count == 20 && bytes[10] == 0x54 && bytes[19] == 0x5A)
        else { return nil }
        func number(_ from: Int, _ count: Int) -> Int? {
            let part = bytes[from..<from + count]
            guard part.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            return part.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        guard bytes[4] == 0x2D, bytes[7] == 0x2D, let year = number(0, 4),
            let month = number(5, 2), let day = number(8, 2), (1...12).contains(month),
            (1...31).contains(day)
        else { return nil }
        var secondOfDay = 0
        if bytes.count == 20 {
            guard bytes[13] == 0x3A, bytes[16] == 0x3A, let hour = number(11, 2),
                let minute = number(14, 2), let second = number(17, 2), hour < 24, minute < 60,
                second < 60
            else { return nil }
            secondOfDay = hour * 3_600 + minute * 60 + second
        }
        let days = CalendarDate.days(year: year, month: month, day: day)
        let moment = Timestamp(seconds: Int64(days) * 86_400 + Int64(secondOfDay))
        // A day that the month does not have comes out as another date.
        guard CalendarDate(moment).day == day else { return nil }
        self = moment
    }
}
