import StoreModel
import StoreService

/// Lets notifications that could not be signed rest, ever longer, while new ones are signed.
///
/// Numbers grow, so one of them says which were tried. Nothing else depends on this: a start tries
/// all of them.
struct UnsignableNotifications {
    static let milliseconds: ClosedRange<Int64> = 60_000...3_600_000

    /// Those up to this one that are still unsigned could not be signed.
    private var tried = NotificationNumber(0)
    /// Those up to this one were logged.
    private var logged = NotificationNumber(0)
    private var areLeft = false
    /// How long they rest the next time, and until when by the real clock; nil for those that are
    /// tried again now.
    private var rest = milliseconds.lowerBound
    private var until: Timestamp?

    /// The place after which a turn begins.
    mutating func begin(at real: Timestamp) -> NotificationNumber? {
        // A clock that was set back must not make the rest longer.
        if let until, real < until, until <= real.adding(milliseconds: rest) { return tried }
        (areLeft, until) = (false, nil)
        tried = NotificationNumber(0)
        return nil
    }

    /// One more that cannot be signed; returns whether that was not known.
    mutating func add(_ number: NotificationNumber) -> Bool {
        areLeft = true
        defer { logged = max(logged, number) }
        return number > logged
    }

    /// All up to this one were tried.
    mutating func passed(_ number: NotificationNumber) {
        tried = max(tried, number)
    }

    /// When the next turn begins: as `next` says, or earlier when some rest until then.
    mutating func end(_ next: DueLoop.Next, at real: Timestamp) -> DueLoop.Next {
        guard areLeft else {
            rest = Self.milliseconds.lowerBound
            return next
        }
        if until == nil {
            until = real.adding(milliseconds: rest)
            rest = min(rest * 2, Self.milliseconds.upperBound)
        }
        guard let until else { return next }
        let left = until.milliseconds - real.milliseconds
        if case .rest(let milliseconds) = next {
            return .rest(milliseconds: min(milliseconds, left))
        }
        return .rest(milliseconds: left)
    }
}
