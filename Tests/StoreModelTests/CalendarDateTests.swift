import StoreModel
import Testing

@Suite struct CalendarDateTests {
    static let rows: [(seconds: Int64, text: String)] = [
        (0, "1970-01-01T00:00:00Z"),
        (-1, "1969-12-31T23:59:59Z"),
        (-86_400, "1969-12-31T00:00:00Z"),
        (-86_401, "1969-12-30T23:59:59Z"),
        (-2_203_891_200, "1900-03-01T00:00:00Z"),
        (-2_203_891_201, "1900-02-28T23:59:59Z"),
        (951_782_400, "2000-02-29T00:00:00Z"),
        (951_868_800, "2000-03-01T00:00:00Z"),
        (1_709_164_800, "2024-02-29T00:00:00Z"),
        (1_714_558_830, "2024-05-01T10:20:30Z"),
        (1_735_689_599, "2024-12-31T23:59:59Z"),
        (4_107_542_399, "2100-02-28T23:59:59Z"),
        (4_107_542_400, "2100-03-01T00:00:00Z"),
        (-62_135_596_800, "0001-01-01T00:00:00Z"),
        (253_402_300_799, "9999-12-31T23:59:59Z"),
    ]

    @Test(arguments: rows)
    func `a moment converts to a calendar date and back`(seconds: Int64, text: String) {
        #expect(CalendarDate(Timestamp(seconds: seconds)).rfc3339 == text)
        #expect(Timestamp(rfc3339: text) == Timestamp(seconds: seconds))
    }

    @Test func `every day from 1600 to 2400 follows the one before`() {
        var days = CalendarDate.days(year: 1600, month: 1, day: 1)
        for year in 1600...2400 {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            for (index, length) in lengths.enumerated() {
                for day in 1...length {
                    let date = CalendarDate(Timestamp(seconds: Int64(days) * 86_400))
                    guard date.year == year, date.month == index + 1, date.day == day,
                        CalendarDate.days(year: year, month: index + 1, day: day) == days
                    else {
                        Issue.record("\(year)-\(index + 1)-\(day) came out as \(date)")
                        return
                    }
                    days += 1
                }
            }
        }
    }

    @Test func `an offset moves the date across midnight and the year's end`() {
        let moment = Timestamp(seconds: 1_704_067_200)
        #expect(CalendarDate(moment, offsetSeconds: -8 * 3_600).spaced == "2023-12-31 16:00:00")
        #expect(CalendarDate(moment, offsetSeconds: 14 * 3_600).spaced == "2024-01-01 14:00:00")
        #expect(CalendarDate(moment).spaced == "2024-01-01 00:00:00")
    }

    @Test func `no timestamp traps`() {
        for milliseconds in [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max] {
            let date = CalendarDate(Timestamp(milliseconds: milliseconds))
            #expect((1...12).contains(date.month) && (1...31).contains(date.day))
        }
    }

    @Test(arguments: [
        "", "2024", "2024-02-30", "2023-02-29", "1900-02-29", "2100-02-29", "2024-04-31",
        "2024-00-10", "2024-13-01", "2024-01-00", "2024-01-32", "2024-1-1", "2024/01/01",
        "2024-01-01T00:00:00", "2024-01-01T00:00:00z", "2024-01-01t00:00:00Z",
        "2024-01-01 00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z",
        "2024-01-01T00:00:60Z", "2024-01-01T00:00:00.5Z", "2024-01-01T00:00:00+00:00",
        "2024-01-01T0a:00:00Z", "+024-01-01", "-024-01-01", " 2024-01-01", "２０２４",
        "20２4-01-1", "2024-01-01T00-00-00Z",
    ])
    func `text that is not a date gives nothing`(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test func `a date without a time is its first second`() {
        #expect(Timestamp(rfc3339: "2000-02-29") == Timestamp(seconds: 951_782_400))
    }
}
