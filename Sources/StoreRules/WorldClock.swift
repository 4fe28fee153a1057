package import StoreModel

/// A world's clock: follows the real one at a distance, or is held by hand.
package enum WorldClock: Hashable, Sendable {
    case real(offsetMilliseconds: Int64)
    case held(at: Timestamp)

    /// Nothing is known before 1970 and certificates end with 2099.
    package static let range =
        Timestamp(milliseconds: 0)...Timestamp(seconds: 4_102_444_799)

    package enum Refusal: Error, Hashable, Sendable {
        /// Something was recorded later than this already; a clock never goes back.
        case wouldGoBack(recorded: Timestamp)
        /// Before 1970 or after 2099.
        case outOfRange
    }

    /// The world's time, never before what it recorded already.
    package func now(real: Timestamp, recorded: Timestamp) -> Timestamp {
        switch self {
        case .real(let offset): max(real.adding(milliseconds: offset), recorded)
        case .held(let time): max(time, recorded)
        }
    }

    /// The clock held at a time.
    package static func held(
        at time: Timestamp, recorded: Timestamp
    ) throws(Refusal) -> WorldClock {
        try check(time, recorded: recorded)
        return .held(at: time)
    }

    /// The clock running from a time on; from the real time when none is given.
    package static func running(
        from time: Timestamp?, real: Timestamp, recorded: Timestamp
    ) throws(Refusal) -> WorldClock {
        guard let time else {
            try check(real, recorded: recorded)
            return .real(offsetMilliseconds: 0)
        }
        try check(time, recorded: recorded)
        return .real(offsetMilliseconds: time.milliseconds - real.milliseconds)
    }

    /// The clock moved forward.
    package func advanced(
        byMilliseconds delta: Int64, real: Timestamp, recorded: Timestamp
    ) throws(Refusal) -> WorldClock {
        guard delta >= 0 else { throw .wouldGoBack(recorded: recorded) }
        let spanMax = Self.range.upperBound.milliseconds
        guard delta <= spanMax else { throw .outOfRange }
        let target = now(real: real, recorded: recorded).adding(milliseconds: delta)
        try Self.check(target, recorded: recorded)
        return switch self {
        case .real: .real(offsetMilliseconds: target.milliseconds - real.milliseconds)
        case .held: .held(at: target)
        }
    }

    private static func check(_ time: Timestamp, recorded: Timestamp) throws(Refusal) {
        guard range.contains(time) else { throw .outOfRange }
        guard time >= recorded else { throw .wouldGoBack(recorded: recorded) }
    }
}
