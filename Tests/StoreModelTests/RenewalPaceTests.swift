import StoreModel
import Testing

struct RenewalPaceTests {
    /// Apple's tables, in seconds: week, 1, 2, 3, 6 and 12 months, grace of a weekly and of another
    /// subscription, and how long payment is tried.
    struct Row: Sendable {
        let pace: RenewalPace
        let periods: [Int64]
        let weeklyGrace: Int64
        let grace: Int64
        let retry: Int64
    }

    static let rows = [
        Row(
            pace: .monthlyRenewalEveryHour, periods: [900, 3_600, 7_200, 10_800, 21_600, 43_200],
            weeklyGrace: 771, grace: 1_800, retry: 7_200),
        Row(
            pace: .monthlyRenewalEveryThirtyMinutes,
            periods: [600, 1_800, 3_600, 5_400, 10_800, 21_600], weeklyGrace: 514, grace: 900,
            retry: 3_600),
        Row(
            pace: .monthlyRenewalEveryFifteenMinutes,
            periods: [300, 900, 1_800, 2_700, 5_400, 10_800], weeklyGrace: 257, grace: 450,
            retry: 1_800),
        Row(
            pace: .monthlyRenewalEveryFiveMinutes, periods: [180, 300, 600, 900, 1_800, 3_600],
            weeklyGrace: 154, grace: 150, retry: 600),
        Row(
            pace: .monthlyRenewalEveryThirtySeconds, periods: [10, 30, 60, 90, 180, 360],
            weeklyGrace: 9, grace: 15, retry: 60),
        Row(
            pace: .oneRenewalEveryFifteenMinutes, periods: [900, 900, 900, 900, 900, 900],
            weeklyGrace: 900, grace: 900, retry: 1_800),
        Row(
            pace: .oneRenewalEveryTwoSeconds, periods: [2, 2, 2, 2, 2, 2], weeklyGrace: 2,
            grace: 2, retry: 4),
        Row(
            pace: .sandboxFiveMinutes, periods: [180, 300, 600, 900, 1_800, 3_600],
            weeklyGrace: 154, grace: 150, retry: 600),
        Row(
            pace: .sandboxThreeMinutes, periods: [180, 180, 360, 540, 1_080, 2_160],
            weeklyGrace: 154, grace: 90, retry: 360),
        Row(
            pace: .sandboxOneHour, periods: [900, 3_600, 7_200, 10_800, 21_600, 43_200],
            weeklyGrace: 771, grace: 1_800, retry: 7_200),
    ]

    @Test(arguments: rows) func `shortened periods follow Apple's published tables`(row: Row) {
        let lengths = RenewalPeriod.allCases.map { row.pace.length(of: $0.span) }
        #expect(lengths == row.periods.map { .fixed(milliseconds: $0 * 1_000) })
        #expect(
            row.pace.gracePeriod(.sixteenDays, of: .week)
                == .fixed(milliseconds: row.weeklyGrace * 1_000))
        #expect(
            row.pace.gracePeriod(.sixteenDays, of: .year)
                == .fixed(milliseconds: row.grace * 1_000))
        #expect(row.pace.billingRetry == .fixed(milliseconds: row.retry * 1_000))
    }

    @Test func `the calendar pace shortens nothing`() {
        let pace = RenewalPace.calendar
        #expect(pace.length(of: .months(2)) == .calendar(.months(2)))
        #expect(pace.gracePeriod(.threeDays, of: .week) == .calendar(.days(3)))
        #expect(pace.gracePeriod(.sixteenDays, of: .week) == .calendar(.days(6)))
        #expect(pace.gracePeriod(.twentyEightDays, of: .month) == .calendar(.days(28)))
        #expect(pace.billingRetry == .calendar(.days(60)))
        #expect(pace.retryPause == .calendar(.days(1)))
    }

    @Test func `a day of another length shortens every day alike`() {
        let pace = RenewalPace.oneMinuteIsOneDay
        #expect(pace.length(of: .days(7)) == .fixed(milliseconds: 420_000))
        #expect(pace.length(of: .months(12)) == .fixed(milliseconds: 365 * 60_000))
        #expect(pace.gracePeriod(.sixteenDays, of: .week) == .fixed(milliseconds: 360_000))
        #expect(pace.billingRetry == .fixed(milliseconds: 3_600_000))
    }

    @Test func `only the sandbox stops by itself after twelve renewals`() {
        let capped = RenewalPace.allCases.filter { $0.renewalsMax != nil }
        #expect(capped.count == 5 && capped.allSatisfy { "\($0)".hasPrefix("sandbox") })
        #expect(RenewalPace.sandboxFiveMinutes.renewalsMax == 12)
    }

    @Test(arguments: RenewalPace.allCases)
    func `every period, pause and retry has a positive length at every pace`(pace: RenewalPace) {
        let start = Timestamp(seconds: 1_700_000_000)
        for span in RenewalPeriod.allCases.map(\.span) + [.days(3)] {
            #expect(start.adding(pace.length(of: span)) > start)
        }
        #expect(start.adding(pace.retryPause) > start)
        #expect(start.adding(pace.billingRetry) > start.adding(pace.retryPause))
    }
}
