package import StoreModel

/// A world's clock: `GET /control/v1/clock`, and the body of a `PUT`, which sets mode and time.
package struct ClockBody: Codable, Hashable, Sendable {
    package enum Mode: String, Codable, CaseIterable, Sendable {
        /// Runs with the real clock, at a fixed offset.
        case real
        /// Stands still until it is moved.
        case held
    }

    package let mode: Mode
    /// The world's time, milliseconds since 1970. In a `PUT` with mode `real` it may be absent:
    /// the clock then shows the real time.
    package let now: Timestamp?
    /// How fast subscriptions renew in each environment; not read from a `PUT`.
    package let paces: PacesBody?
    /// The newest advance since the world was opened or its clock was set; absent without one.
    /// Setting the clock counts as one when something is due by its time.
    package let advance: ClockAdvanceBody?

    package init(
        mode: Mode, now: Timestamp?, paces: PacesBody? = nil, advance: ClockAdvanceBody? = nil
    ) {
        self.mode = mode
        self.now = now
        self.paces = paces
        self.advance = advance
    }
}

/// How fast subscriptions renew. `PUT /control/v1/clock/pace` sets those that are present.
package struct PacesBody: Codable, Hashable, Sendable {
    package let production: RenewalPace?
    package let sandbox: RenewalPace?

    package init(production: RenewalPace?, sandbox: RenewalPace?) {
        self.production = production
        self.sandbox = sandbox
    }
}

/// `POST /control/v1/clock/advance`: either by an amount or to a date.
package struct AdvanceClockBody: Codable, Hashable, Sendable {
    package let milliseconds: Int64?
    /// Milliseconds since 1970.
    package let to: Timestamp?

    package init(milliseconds: Int64? = nil, to: Timestamp? = nil) {
        self.milliseconds = milliseconds
        self.to = to
    }
}

/// An advance of the clock: it ends when everything due until then has happened.
package struct ClockAdvanceBody: Codable, Hashable, Sendable {
    package enum State: String, Codable, CaseIterable, Sendable {
        case running
        case done
        /// The clock stays at the last event.
        case cancelled
        case failed
    }

    package let number: Int64
    package let state: State
    package let from: Timestamp
    package let to: Timestamp
    /// Paid periods of subscriptions.
    package let renewals: Int64
    package let failedPayments: Int64
    /// Subscriptions that expired.
    package let endings: Int64
    /// Subscriptions that were due and could not be processed by the end of the advance; each is
    /// tried again.
    package let leftOut: Int64
    /// The first of them, at most `leftOutNamedMax`, by the numbers of their first transactions.
    package let leftOutSubscriptions: [String]
    /// Why it failed.
    package let failure: String?

    package static let leftOutNamedMax = 10

    package init(
        number: Int64, state: State, from: Timestamp, to: Timestamp, renewals: Int64,
        failedPayments: Int64, endings: Int64, leftOut: Int64, leftOutSubscriptions: [String],
        failure: String?
    ) {
        self.number = number
        self.state = state
        self.from = from
        self.to = to
        self.renewals = renewals
        self.failedPayments = failedPayments
        self.endings = endings
        self.leftOut = leftOut
        self.leftOutSubscriptions = leftOutSubscriptions
        self.failure = failure
    }
}
