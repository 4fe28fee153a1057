/// How fast subscriptions renew: by the calendar, or with the shortened periods of the App Store's
/// sandbox and Xcode's tests. The names are those of the wire.
///
/// Sources: Apple, "Testing In-App Purchases with sandbox" and `SKTestSession.TimeRate`.
package enum RenewalPace: String, Codable, CaseIterable, Sendable {
    case calendar
    /// In the sandbox a tester chooses how many minutes make a month; 5 by default.
    case sandboxThreeMinutes, sandboxFiveMinutes, sandboxFifteenMinutes, sandboxThirtyMinutes
    case sandboxOneHour
    case oneHourIsOneDay, thirtyMinutesIsOneDay, fiveMinutesIsOneDay, oneMinuteIsOneDay
    case thirtySecondsIsOneDay, oneSecondIsOneDay
    case monthlyRenewalEveryHour, monthlyRenewalEveryThirtyMinutes
    case monthlyRenewalEveryFifteenMinutes, monthlyRenewalEveryFiveMinutes
    case monthlyRenewalEveryThirtySeconds
    case oneRenewalEveryFifteenMinutes, oneRenewalEveryFiveMinutes, oneRenewalEveryMinute
    case oneRenewalEveryThirtySeconds, oneRenewalEveryTenSeconds, oneRenewalEveryTwoSeconds

    /// The length of a period.
    package enum Length: Hashable, Sendable {
        case calendar(CalendarSpan)
        case fixed(milliseconds: Int64)
    }

    /// How a pace shortens: not at all, every day by the same factor, a week and a month each to
    /// its own length, or every period to the same length.
    private enum Shape {
        case calendar
        case day(seconds: Int64)
        case weekAndMonth(weekSeconds: Int64, monthSeconds: Int64)
        case every(seconds: Int64)
    }

    private var shape: Shape {
        switch self {
        case .calendar: .calendar
        case .sandboxThreeMinutes: .weekAndMonth(weekSeconds: 180, monthSeconds: 180)
        case .sandboxFiveMinutes: .weekAndMonth(weekSeconds: 180, monthSeconds: 300)
        case .sandboxFifteenMinutes: .weekAndMonth(weekSeconds: 300, monthSeconds: 900)
        case .sandboxThirtyMinutes: .weekAndMonth(weekSeconds: 600, monthSeconds: 1_800)
        case .sandboxOneHour: .weekAndMonth(weekSeconds: 900, monthSeconds: 3_600)
        case .oneHourIsOneDay: .day(seconds: 3_600)
        case .thirtyMinutesIsOneDay: .day(seconds: 1_800)
        case .fiveMinutesIsOneDay: .day(seconds: 300)
        case .oneMinuteIsOneDay: .day(seconds: 60)
        case .thirtySecondsIsOneDay: .day(seconds: 30)
        case .oneSecondIsOneDay: .day(seconds: 1)
        case .monthlyRenewalEveryHour: .weekAndMonth(weekSeconds: 900, monthSeconds: 3_600)
        case .monthlyRenewalEveryThirtyMinutes:
            .weekAndMonth(weekSeconds: 600, monthSeconds: 1_800)
        case .monthlyRenewalEveryFifteenMinutes:
            .weekAndMonth(weekSeconds: 300, monthSeconds: 900)
        case .monthlyRenewalEveryFiveMinutes: .weekAndMonth(weekSeconds: 180, monthSeconds: 300)
        case .monthlyRenewalEveryThirtySeconds: .weekAndMonth(weekSeconds: 10, monthSeconds: 30)
        case .oneRenewalEveryFifteenMinutes: .every(seconds: 900)
        case .oneRenewalEveryFiveMinutes: .every(seconds: 300)
        case .oneRenewalEveryMinute: .every(seconds: 60)
        case .oneRenewalEveryThirtySeconds: .every(seconds: 30)
        case .oneRenewalEveryTenSeconds: .every(seconds: 10)
        case .oneRenewalEveryTwoSeconds: .every(seconds: 2)
        }
    }

    /// An environment's pace by default.
    package static func usual(in environment: StoreEnvironment) -> RenewalPace {
        switch environment {
        case .production: .calendar
        case .sandbox: .sandboxFiveMinutes
        }
    }

    /// How often a subscription renews automatically before it ends, as in the sandbox; nil for no
    /// limit.
    package var renewalsMax: Int? {
        switch self {
        case .sandboxThreeMinutes, .sandboxFiveMinutes, .sandboxFifteenMinutes,
            .sandboxThirtyMinutes, .sandboxOneHour:
            12
        default: nil
        }
    }

    /// The length of a period, or an offer, of that span.
    package func length(of span: CalendarSpan) -> Length {
        switch shape {
        case .calendar: return .calendar(span)
        case .day(let seconds): return .fixed(milliseconds: seconds * 1_000 * Self.days(in: span))
        case .weekAndMonth(let week, let month):
            return switch span {
            case .days(let count): .fixed(milliseconds: max(1_000, week * 1_000 * Int64(count) / 7))
            case .months(let count): .fixed(milliseconds: month * 1_000 * Int64(count))
            }
        case .every(let seconds): return .fixed(milliseconds: seconds * 1_000)
        }
    }

    /// How long an unpaid subscription is still served; `setting` is the app owner's choice. For a
    /// weekly subscription, 16 and 28 days become 6.
    package func gracePeriod(_ setting: GracePeriod, of period: RenewalPeriod) -> Length {
        let days = period == .week ? min(setting.rawValue, 6) : setting.rawValue
        return switch shape {
        case .calendar: .calendar(.days(days))
        case .day(let seconds): .fixed(milliseconds: seconds * 1_000 * Int64(days))
        case .weekAndMonth(let week, let month):
            // To the nearest second, as the tables print it.
            .fixed(
                milliseconds: period == .week ? (week * 12 + 7) / 14 * 1_000 : month * 500)
        case .every(let seconds): .fixed(milliseconds: seconds * 1_000)
        }
    }

    /// How long a failed payment is retried.
    package var billingRetry: Length {
        switch shape {
        case .calendar: .calendar(.days(60))
        case .day(let seconds): .fixed(milliseconds: seconds * 60_000)
        case .weekAndMonth(_, let month): .fixed(milliseconds: month * 2_000)
        case .every(let seconds): .fixed(milliseconds: seconds * 2_000)
        }
    }

    /// The longest gap that does not end a run of periods: 60 days, ten minutes in the sandbox.
    /// Source: Apple, *recentSubscriptionStartDate*.
    package var runGap: Length { billingRetry }

    /// How often a failed payment is retried.
    package static let retryTries: Int64 = 60

    /// The pause between two tries.
    package var retryPause: Length {
        switch billingRetry {
        case .calendar: .calendar(.days(1))
        case .fixed(let whole): .fixed(milliseconds: max(1, whole / Self.retryTries))
        }
    }

    private static func days(in span: CalendarSpan) -> Int64 {
        switch span {
        case .days(let count): Int64(count)
        // In shortened time, a year always counts as 365 days and a month as 30.
        case .months(let count): count % 12 == 0 ? Int64(count / 12 * 365) : Int64(count * 30)
        }
    }
}

/// How many days an app serves an unpaid subscription, as offered by App Store Connect.
package enum GracePeriod: Int, Codable, CaseIterable, Sendable {
    case threeDays = 3
    case sixteenDays = 16
    case twentyEightDays = 28
}

extension Timestamp {
    package func adding(_ length: RenewalPace.Length) -> Timestamp {
        switch length {
        case .calendar(let span): adding(span)
        case .fixed(let milliseconds): adding(milliseconds: milliseconds)
        }
    }
}
