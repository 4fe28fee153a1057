/// The state of a purchase attempt; stored, so that a crash at any line leaves one of these.
package enum AttemptState: String, Codable, CaseIterable, Sendable {
    /// Written down, nothing decided yet.
    case received
    /// A payment gateway was asked and has not answered yet.
    case charging
    /// A gateway's answer was lost; a janitor settles it.
    case unknown
    /// Waits for approval.
    case deferred
    /// Waits until the customer has settled something with the store; the app was told that it
    /// failed.
    case interrupted
    /// Ended with a transaction.
    case done
    /// Ended without one.
    case refused

    /// Whether a payment gateway's answer decides it.
    package var isOfProvider: Bool {
        switch self {
        case .charging, .unknown: true
        case .received, .deferred, .interrupted, .done, .refused: false
        }
    }
}

/// What a purchase waits for before it is made.
package enum WaitingCause: String, Codable, CaseIterable, Sendable {
    /// Somebody's approval.
    case approval
    /// The customer, who has something to settle with the store.
    case interruption
    /// The answer of a payment provider.
    case payment

    /// The state of its attempt meanwhile.
    package var attemptState: AttemptState {
        switch self {
        case .approval: .deferred
        case .interruption: .interrupted
        case .payment: .charging
        }
    }
}
