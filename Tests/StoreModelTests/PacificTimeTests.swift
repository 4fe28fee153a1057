import Foundation
import StoreModel
import Testing

@Suite struct PacificTimeTests {
    @Test(arguments: 1967...2037)
    func `every hour around the clock changes of a year matches Los Angeles time`(year: Int) throws
    {
        let zone = try #require(TimeZone(identifier: "America/Los_Angeles"))
        let first = Int64(CalendarDate.days(year: year, month: 1, day: 1)) * 24
        let last = Int64(CalendarDate.days(year: year + 1, month: 1, day: 1)) * 24
        for hour in first..<last {
            // The second before, on and after the hour, so that a change is met exactly.
            for second in hour * 3_600 - 1...hour * 3_600 + 1 {
                let expected = zone.secondsFromGMT(
                    for: Date(timeIntervalSince1970: TimeInterval(second)))
                let offset = PacificTime.offsetSeconds(at: Timestamp(seconds: second))
                guard offset == Int64(expected) else {
                    Issue.record("\(second): \(offset), expected \(expected)")
                    return
                }
            }
        }
    }

    @Test(arguments: [
        ("2024-03-10T09:59:59Z", "2024-03-10 01:59:59"),
        ("2024-03-10T10:00:00Z", "2024-03-10 03:00:00"),
        ("2024-11-03T08:59:59Z", "2024-11-03 01:59:59"),
        ("2024-11-03T09:00:00Z", "2024-11-03 01:00:00"),
        ("2025-01-01T07:59:59Z", "2024-12-31 23:59:59"),
    ])
    func `a timestamp is shown in Cupertino's local time`(utc: String, wall: String) throws {
        let moment = try #require(Timestamp(rfc3339: utc))
        #expect(PacificTime.date(at: moment).spaced == wall)
    }

    @Test func `a millisecond before the clock change is still the old time`() throws {
        let change = try #require(Timestamp(rfc3339: "2024-03-10T10:00:00Z"))
        #expect(PacificTime.offsetSeconds(at: change.adding(milliseconds: -1)) == -28_800)
        #expect(PacificTime.offsetSeconds(at: change) == -25_200)
    }
}
