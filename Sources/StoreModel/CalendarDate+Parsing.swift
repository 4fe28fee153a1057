extension Timestamp {
    /// The moment written as `2024-05-01T10:20:30Z` or `2024-05-01`, or nil for anything else.
    package init?(rfc3339 text: String) {
        self.init(rfc3339: Array(text.utf8)[...])
    }

    /// The same from the text's bytes.
    package init?(rfc3339 text: ArraySlice<UInt8>) {
        func byte(_ place: Int) -> UInt8 { text[text.startIndex + place] }
        guard text.count == 10 || (text.count == 20 && byte(10) == 0x54 && byte(19) == 0x5A)
        else { return nil }
        func number(_ from: Int, _ count: Int) -> Int? {
            var number = 0
            for place in from..<from + count {
                let digit = byte(place) &- 0x30
                guard digit < 10 else { return nil }
                number = number * 10 + Int(digit)
            }
            return number
        }
        guard byte(4) == 0x2D, byte(7) == 0x2D, let year = number(0, 4),
            let month = number(5, 2), let day = number(8, 2), (1...12).contains(month),
            (1...31).contains(day)
        else { return nil }
        var secondOfDay = 0
        if text.count == 20 {
            guard byte(13) == 0x3A, byte(16) == 0x3A, let hour = number(11, 2),
                let minute = number(14, 2), let second = number(17, 2), hour < 24, minute < 60,
                second < 60
            else { return nil }
            secondOfDay = hour * 3_600 + minute * 60 + second
        }
        let days = CalendarDate.days(year: year, month: month, day: day)
        let moment = Timestamp(seconds: Int64(days) * 86_400 + Int64(secondOfDay))
        // A day that does not exist in the month would become another date; 28 days always exist.
        guard day <= 28 || CalendarDate(moment).day == day else { return nil }
        self = moment
    }
}
