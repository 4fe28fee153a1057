package import StoreModel

/// A world's clock: follows the real one at an offset, or is held by hand.
package enum WorldClock: Hashable, Sendable {
    case real(offsetMilliseconds: Int64)
    case held(at: Timestamp)

    /// A sale at any of these moments has a receipt that can be signed.
    package static let range = Timestamp.certified

    package enum Refusal: Error, Hashable, Sendable {
        /// An event of a customer is already recorded later than this, such as a purchase.
        case wouldGoBack(recorded: Timestamp)
        /// Before 2000 or after 2099.
        case outOfRange
    }

    /// The world's time, never before the recorded events of its customers.
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

    /// The clock running from a time, by default the real time.
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

    /// The clock's time after it is moved forward.
    package func target(
        ofAdvancing delta: Int64, real: Timestamp, recorded: Timestamp
    ) throws(Refusal) -> Timestamp {
        guard delta >= 0 else { throw .wouldGoBack(recorded: recorded) }
        let spanMax = Self.range.upperBound.milliseconds
        guard delta <= spanMax else { throw .outOfRange }
        return try target(
            now(real: real, recorded: recorded).adding(milliseconds: delta), real: real,
            recorded: recorded)
    }

    /// The same time, if the clock can be moved forward to it.
    package func target(
        _ time: Timestamp, real: Timestamp, recorded: Timestamp
    ) throws(Refusal) -> Timestamp {
        try Self.check(time, recorded: now(real: real, recorded: recorded))
        return time
    }

    /// The clock at a time, held or running as before; never before recorded events.
    package func moved(
        to time: Timestamp, real: Timestamp, recorded: Timestamp
    ) -> WorldClock {
        let target = max(time, recorded)
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
