package import StoreModel

/// When a notification that did not arrive is sent again.
///
/// Source: Apple, *Responding to App Store Server Notifications*: five retries of version 2, three
/// of version 1, and none in the sandbox.
package enum NotificationSchedule {
    /// The hours from each attempt to the next.
    package static func hours(
        _ version: NotificationVersion, in environment: StoreEnvironment
    ) -> [Int64] {
        switch (environment, version) {
        case (.sandbox, _): []
        case (.production, .v2): [1, 12, 24, 48, 72]
        case (.production, .v1): [6, 24, 48]
        }
    }

    /// When the attempt after `attempts` failed ones is due, the last of which was due at `moment`;
    /// nil when that was the last.
    package static func next(
        after attempts: Int, at moment: Timestamp, _ version: NotificationVersion,
        in environment: StoreEnvironment
    ) -> Timestamp? {
        let hours = hours(version, in: environment)
        guard attempts >= 1, attempts <= hours.count else { return nil }
        return moment.adding(milliseconds: hours[attempts - 1] * 3_600_000)
    }
}
