import Foundation
import StoreModel
import Testing

@testable import StoreKit

@Suite struct SubscriptionPeriodTests {
    typealias Period = StoreKit.Product.SubscriptionPeriod

    @Test(arguments: [
        ("P3D", Period.everyThreeDays), ("P1W", .weekly), ("P7D", .weekly),
        ("P2W", .everyTwoWeeks), ("P1M", .monthly), ("P2M", .everyTwoMonths),
        ("P3M", .everyThreeMonths), ("P6M", .everySixMonths), ("P1Y", .yearly), ("P12M", .yearly),
    ])
    func `a period is in the largest unit that expresses it`(iso: String, period: Period) throws {
        #expect(Period(try #require(CalendarSpan(iso8601: iso))) == period)
    }

    @Test func `a period of months ends on the last day of a month that lacks the day`() throws {
        let january = try Date("2027-01-31T12:00:00Z", strategy: .iso8601)
        let february = try Date("2027-02-28T12:00:00Z", strategy: .iso8601)
        #expect(Period.monthly.dateRange(referenceDate: january) == january..<february)
    }

    @Test(arguments: [
        (Period.everyThreeDays, 3), (.everyTwoWeeks, 14), (.monthly, 30), (.everySixMonths, 183),
        (.yearly, 365),
    ])
    func `a period in a format for durations has the days of its months`(
        period: Period, days: Int
    ) throws {
        let june = try Date("2026-06-01T12:00:00Z", strategy: .iso8601)
        let range = period.dateRange(referenceDate: june)
        // Days of 23 or 25 hours are rounded away.
        let hours = range.upperBound.timeIntervalSince(june) / 3_600
        #expect(Int((hours / 24).rounded()) == days)
        #expect(
            period.formatted(SecondsStyle(), referenceDate: june)
                == Int64(range.upperBound.timeIntervalSince(june)))
        #expect(period.formatted(RangeStyle(), referenceDate: june) == range)
    }

    private struct SecondsStyle: FormatStyle {
        func format(_ value: Duration) -> Int64 { value.components.seconds }
    }

    private struct RangeStyle: FormatStyle {
        func format(_ value: Range<Date>) -> Range<Date> { value }
    }

    @Test(arguments: [
        (Period.everyThreeDays, DateComponents(day: 3)), (.everyTwoWeeks, DateComponents(day: 14)),
        (.everySixMonths, DateComponents(month: 6)), (.yearly, DateComponents(year: 1)),
    ])
    func `date components have a period's length`(period: Period, components: DateComponents) {
        #expect(DateComponents(subscriptionPeriod: period) == components)
    }

    @Test func `units are ordered by length and have names`() {
        let units: [Period.Unit] = [.day, .week, .month, .year]
        #expect(units.sorted(by: >) == units.reversed())
        #expect(units.map(\.localizedDescription) == ["Day", "Week", "Month", "Year"])
        #expect(Period.everySixMonths.debugDescription == "6 month")
    }

    @Test func `a unit is formatted by the product's style, in English`() throws {
        let style = try ProductValueTests.product(ProductValueTests.club)
            .subscriptionPeriodUnitFormatStyle
        #expect(Period.Unit.month.formatted(style) == "month")
        #expect(Period.Unit.year.formatted(style.locale(Locale(identifier: "fr_FR"))) == "year")
        let copy = try JSONDecoder().decode(
            Period.Unit.FormatStyle.self, from: JSONEncoder().encode(style))
        #expect(copy == style)
    }
}
