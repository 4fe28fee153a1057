public import Foundation
import StoreModel
import StoreWire

extension BodegaWorld {
    /// What happened while a world's clock moved.
    ///
    /// ```swift
    /// func renewals(in world: BodegaWorld) async throws -> Int {
    ///     try await world.advance(.days(31)).renewals
    /// }
    /// ```
    public struct ClockAdvance: Hashable, Sendable {
        /// Paid periods of subscriptions.
        public let renewals: Int
        /// Payments for a renewal that failed.
        public let failedPayments: Int
        /// Subscriptions that expired.
        public let endings: Int
    }
}

extension BodegaWorld {
    private static let pauseMilliseconds = 20

    /// What the world's clock shows.
    public var now: Date {
        get async throws {
            let clock = try await ask(ClockBody.self, "GET", "/clock")
            return clock.now.map { Date(milliseconds: $0.milliseconds) } ?? Date()
        }
    }

    /// Moves the clock forward; returns when everything that is due until then has happened. Nothing
    /// waits for a month.
    @discardableResult
    public func advance(_ span: TimeSpan) async throws -> ClockAdvance {
        try await advance(AdvanceClockBody(milliseconds: span.milliseconds))
    }

    /// The same, to a date.
    @discardableResult
    public func advance(to date: Date) async throws -> ClockAdvance {
        try await advance(AdvanceClockBody(to: date.timestamp))
    }

    private func advance(_ body: AdvanceClockBody) async throws -> ClockAdvance {
        var clock = try await ask(ClockBody.self, "POST", "/clock/advance", body)
        let begun = clock.advance?.number
        while clock.advance?.state == .running, clock.advance?.number == begun {
            try await Task.sleep(for: .milliseconds(Self.pauseMilliseconds))
            clock = try await ask(ClockBody.self, "GET", "/clock")
        }
        guard let advance = clock.advance, advance.number == begun, advance.state == .done else {
            throw BodegaError(
                "clockStopped",
                clock.advance?.failure
                    ?? "The clock was moved by something else before this advance ended.")
        }
        return ClockAdvance(
            renewals: Int(advance.renewals), failedPayments: Int(advance.failedPayments),
            endings: Int(advance.endings))
    }
}
