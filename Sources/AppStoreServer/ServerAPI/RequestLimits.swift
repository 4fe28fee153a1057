import StoreModel
import Synchronization

/// How often apps' servers may ask: Apple's limits, counted by the hour of the real clock, as Apple
/// enforces them. They are off until the world's owner switches them on, and neither they nor the
/// counts are stored: both end when the store stops.
final class RequestLimits: Sendable {
    struct Settings: Hashable, Sendable {
        var isOn = false
        /// The most requests an hour where Apple has more, so that a test reaches a limit; nil for
        /// Apple's alone.
        var hourlyMax: Int64?
    }

    /// The requests that count together: of an app in an environment, to endpoints with the same
    /// limit. There are as many as apps allow.
    private struct Line: Hashable {
        let app: AppID
        let environment: StoreEnvironment
        let perSecond: Int64
    }

    private struct State {
        var settings = Settings()
        /// Since 1970.
        var hour: Int64 = 0
        /// The requests of that hour.
        var counts: [Line: Int64] = [:]
    }

    private static let hourMilliseconds: Int64 = 3_600_000
    private let state = Mutex(State())

    var settings: Settings { state.withLock { $0.settings } }

    /// The hour is counted anew.
    func use(_ settings: Settings) {
        state.withLock { $0 = State(settings: settings) }
    }

    /// Counts a request; gives the end of the hour when there have been too many, and then does not
    /// count it.
    func take(
        _ app: AppID, _ environment: StoreEnvironment, perSecond: Int64, at real: Timestamp
    ) -> Timestamp? {
        state.withLock { state in
            guard state.settings.isOn else { return nil }
            let hour = real.milliseconds / Self.hourMilliseconds
            if hour != state.hour { (state.hour, state.counts) = (hour, [:]) }
            let line = Line(app: app, environment: environment, perSecond: perSecond)
            let allowed = Self.hourlyMax(perSecond: perSecond, in: environment)
            let count = state.counts[line, default: 0]
            guard count < min(allowed, state.settings.hourlyMax ?? allowed) else {
                return Timestamp(milliseconds: (hour + 1) * Self.hourMilliseconds)
            }
            state.counts[line] = count + 1
            return nil
        }
    }

    /// The sandbox has a tenth. Source: Apple, *Identifying rate limits*.
    static func hourlyMax(perSecond: Int64, in environment: StoreEnvironment) -> Int64 {
        let hourly = perSecond * 3_600
        return switch environment {
        case .production: hourly
        case .sandbox: hourly / 10
        }
    }
}
