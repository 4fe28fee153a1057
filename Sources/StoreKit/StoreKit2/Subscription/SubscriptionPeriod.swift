public import Foundation
import StoreModel

extension Product {
    /// A length of time by the calendar: of one period of a subscription, or of an offer.
    ///
    /// ```swift
    /// func words(for period: Product.SubscriptionPeriod) -> String {
    ///     let unit = period.unit.localizedDescription.lowercased()
    ///     return period.value == 1 ? unit : "\(period.value) \(unit)s"
    /// }
    /// ```
    ///
    /// Apple: <https://developer.apple.com/documentation/storekit/product/subscriptionperiod>
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public struct SubscriptionPeriod: Hashable, Sendable {
        /// The unit that it is counted in.
        public let unit: Unit
        /// The number of units.
        public let value: Int

        init(unit: Unit, value: Int) {
            self.unit = unit
            self.value = value
        }

        /// A time from the store, in the largest unit that expresses it exactly.
        init(_ span: CalendarSpan) {
            switch span {
            case .days(let count):
                let isWeeks = count % 7 == 0
                self.init(unit: isWeeks ? .week : .day, value: isWeeks ? count / 7 : count)
            case .months(let count):
                let isYears = count % 12 == 0
                self.init(unit: isYears ? .year : .month, value: isYears ? count / 12 : count)
            }
        }
    }
}

@available(iOS 16.4, macOS 13.3, tvOS 16.4, watchOS 9.4, visionOS 1.0, *)
extension Product.SubscriptionPeriod {
    /// One week.
    public static var weekly: Self { Self(unit: .week, value: 1) }
    /// One month.
    public static var monthly: Self { Self(unit: .month, value: 1) }
    /// One year.
    public static var yearly: Self { Self(unit: .year, value: 1) }
    /// Three days.
    public static var everyThreeDays: Self { Self(unit: .day, value: 3) }
    /// Two weeks.
    public static var everyTwoWeeks: Self { Self(unit: .week, value: 2) }
    /// Two months.
    public static var everyTwoMonths: Self { Self(unit: .month, value: 2) }
    /// Three months.
    public static var everyThreeMonths: Self { Self(unit: .month, value: 3) }
    /// Six months.
    public static var everySixMonths: Self { Self(unit: .month, value: 6) }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionPeriod {
    /// The time from a date on, by the Gregorian calendar in the time zone of this device.
    ///
    /// A month after 31 January is the end of February.
    public func dateRange(referenceDate: Date = .now) -> Range<Date> {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .current
        let end = calendar.date(
            byAdding: DateComponents(subscriptionPeriod: self), to: referenceDate)
        return referenceDate..<max(end ?? referenceDate, referenceDate)
    }

    /// The time from a date on, in a format for dates.
    public func formatted<S: FormatStyle>(
        _ format: S, referenceDate: Date = .now
    ) -> S.FormatOutput where S.FormatInput == Range<Date> {
        format.format(dateRange(referenceDate: referenceDate))
    }

    /// How long it is from a date on, in a format for durations.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
    public func formatted<S: FormatStyle>(
        _ format: S, referenceDate: Date = .now
    ) -> S.FormatOutput where S.FormatInput == Duration {
        let range = dateRange(referenceDate: referenceDate)
        return format.format(.seconds(range.upperBound.timeIntervalSince(range.lowerBound)))
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionPeriod: CustomDebugStringConvertible {
    /// Such as `3 month`.
    public var debugDescription: String { "\(value) \(unit.debugDescription)" }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension DateComponents {
    /// The length of time of a period, to be added to a date.
    public init(subscriptionPeriod: Product.SubscriptionPeriod) {
        let value = subscriptionPeriod.value
        switch subscriptionPeriod.unit {
        case .day: self.init(day: value)
        // A calendar may add weeks, and DateComponents knows two kinds of them.
        case .week: self.init(day: 7 * value)
        case .month: self.init(month: value)
        case .year: self.init(year: value)
        }
    }
}
