public import Foundation

extension Product.SubscriptionPeriod {
    /// A unit of time by the calendar, shorter ones first.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public enum Unit: Hashable, Sendable {
        /// A day.
        case day
        /// Seven days.
        case week
        /// A month of the calendar.
        case month
        /// A year of the calendar.
        case year
    }
}

@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension Product.SubscriptionPeriod.Unit: Comparable {}

@available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
extension Product.SubscriptionPeriod.Unit {
    /// Its name for people, in English.
    public var localizedDescription: String {
        switch self {
        case .day: "Day"
        case .week: "Week"
        case .month: "Month"
        case .year: "Year"
        }
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionPeriod.Unit: CustomDebugStringConvertible {
    /// Its name in code, such as `month`.
    public var debugDescription: String {
        switch self {
        case .day: "day"
        case .week: "week"
        case .month: "month"
        case .year: "year"
        }
    }
}

@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
extension Product.SubscriptionPeriod.Unit {
    /// The unit in a format.
    public func formatted<S: Foundation.FormatStyle>(
        _ format: S
    ) -> S.FormatOutput where S.FormatInput == Product.SubscriptionPeriod.Unit {
        format.format(self)
    }

    /// Writes the name of a unit: in English, since Linux lacks the names of other languages.
    ///
    /// `Product.subscriptionPeriodUnitFormatStyle` gives one.
    public struct FormatStyle: Foundation.FormatStyle {
        private var chosen: Locale

        init() {
            chosen = .autoupdatingCurrent
        }

        /// The name of a unit, such as `month`.
        public func format(_ value: Product.SubscriptionPeriod.Unit) -> String {
            value.localizedDescription.lowercased()
        }

        /// The format for a language and a region.
        public func locale(_ locale: Locale) -> Self {
            var format = self
            format.chosen = locale
            return format
        }
    }
}
