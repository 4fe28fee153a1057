import StoreModel

extension SKTestSession {
    /// How fast subscriptions renew.
    ///
    /// ```swift
    /// func watchRenewals(in session: SKTestSession) {
    ///     session.timeRate = .oneRenewalEveryTwoSeconds
    /// }
    /// ```
    ///
    /// Apple: <https://developer.apple.com/documentation/storekittest/sktestsession/timerate-swift.enum>
    public enum TimeRate: Int, Hashable, Sendable {
        /// By the calendar.
        case realTime = 0
        /// An hour for each day.
        @available(*, deprecated, message: "Use monthlyRenewalEveryHour, since iOS 15.2.")
        case oneHourIsOneDay = 1
        /// 30 minutes for each day.
        @available(*, deprecated, message: "Use monthlyRenewalEveryHour, since iOS 15.2.")
        case thirtyMinutesIsOneDay = 2
        /// 5 minutes for each day.
        @available(*, deprecated, message: "Use monthlyRenewalEveryHour, since iOS 15.2.")
        case fiveMinutesIsOneDay = 3
        /// A minute for each day.
        @available(*, deprecated, message: "Use monthlyRenewalEveryThirtyMinutes, since iOS 15.2.")
        case oneMinuteIsOneDay = 4
        /// 30 seconds for each day.
        @available(*, deprecated, message: "Use monthlyRenewalEveryFifteenMinutes, since iOS 15.2.")
        case thirtySecondsIsOneDay = 5
        /// A second for each day.
        @available(*, deprecated, message: "Use monthlyRenewalEveryThirtySeconds, since iOS 15.2.")
        case oneSecondIsOneDay = 6
        /// A month in an hour, a week in 15 minutes.
        case monthlyRenewalEveryHour = 10
        /// A month in 30 minutes, a week in 10.
        case monthlyRenewalEveryThirtyMinutes = 11
        /// A month in 15 minutes, a week in 5.
        case monthlyRenewalEveryFifteenMinutes = 12
        /// A month in 5 minutes, a week in 3.
        case monthlyRenewalEveryFiveMinutes = 13
        /// A month in 30 seconds, a week in 10.
        case monthlyRenewalEveryThirtySeconds = 15
        /// Every period in 15 minutes.
        case oneRenewalEveryFifteenMinutes = 1_000
        /// Every period in 5 minutes.
        case oneRenewalEveryFiveMinutes = 1_001
        /// Every period in a minute.
        case oneRenewalEveryMinute = 1_002
        /// Every period in 30 seconds.
        case oneRenewalEveryThirtySeconds = 1_003
        /// Every period in 10 seconds.
        case oneRenewalEveryTenSeconds = 1_004
        /// Every period in 2 seconds.
        case oneRenewalEveryTwoSeconds = 1_005
    }
}

extension SKTestSession.TimeRate {
    /// The store's pace of that rate, whose name it has.
    var pace: RenewalPace { RenewalPace(rawValue: "\(self)") ?? .calendar }
}
