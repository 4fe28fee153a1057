import StoreModel
import Testing

struct CalendarSpanTests {
    static func moment(
        _ year: Int, _ month: Int, _ day: Int, _ milliseconds: Int64 = 0
    ) -> Timestamp {
        let days = CalendarDate.days(year: year, month: month, day: day)
        return Timestamp(milliseconds: Int64(days) * Timestamp.dayMilliseconds + milliseconds)
    }

    @Test(
        arguments: [
            ("P3D", .days(3)), ("P1W", .days(7)), ("P2W", .days(14)), ("P1M", .months(1)),
            ("P6M", .months(6)), ("P1Y", .months(12)),
        ] as [(String, CalendarSpan)])
    func `a duration is read and written back`(text: String, span: CalendarSpan) {
        #expect(CalendarSpan(iso8601: text) == span)
        #expect(span.iso8601 == text)
    }

    @Test(arguments: [
        "", "P", "P1", "1M", "PM", "P0M", "P-1M", "P+1M", "P1m", "P1M2D", "PT1H", "P2Y", "P13M",
        "P367D", "P99999", "P1H", " P1M", "P١M",
    ])
    func `text that is not a duration is refused`(text: String) {
        #expect(CalendarSpan(iso8601: text) == nil)
    }

    @Test(arguments: [
        (moment(2023, 1, 31), 1, moment(2023, 2, 28)),
        (moment(2024, 1, 31), 1, moment(2024, 2, 29)),
        (moment(2023, 1, 31), 2, moment(2023, 3, 31)),
        (moment(2023, 1, 31), 3, moment(2023, 4, 30)),
        (moment(2024, 2, 29), 12, moment(2025, 2, 28)),
        (moment(2024, 2, 29), 48, moment(2028, 2, 29)),
        (moment(2023, 12, 31), 2, moment(2024, 2, 29)),
        (moment(2023, 11, 15), 1, moment(2023, 12, 15)),
        (moment(2023, 12, 1), 1, moment(2024, 1, 1)),
        (moment(1999, 12, 31), 2, moment(2000, 2, 29)),
        (moment(2100, 1, 29), 1, moment(2100, 2, 28)),
        (moment(2024, 5, 31), 0, moment(2024, 5, 31)),
        // The time of day stays, to the millisecond.
        (moment(2023, 1, 31, 86_399_999), 1, moment(2023, 2, 28, 86_399_999)),
        (moment(1969, 12, 31, 1), 2, moment(1970, 2, 28, 1)),
    ])
    func `adding months follows their lengths`(from: Timestamp, months: Int, to: Timestamp) {
        #expect(from.adding(.months(months)) == to)
    }

    @Test func `a day has the same length across the end of a year`() {
        #expect(
            Self.moment(2024, 12, 30, 5).adding(.days(3)) == Self.moment(2025, 1, 2, 5))
    }
}
