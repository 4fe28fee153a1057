/// What a purchase waits for before it is made.
package enum WaitingCause: String, Codable, CaseIterable, Sendable {
    /// Somebody's approval.
    case approval
    /// The person, who has something to settle with the store.
    case interruption
    /// The answer of a payment provider.
    case payment

    /// Where its attempt stands meanwhile.
    package var attemptState: AttemptState {
        switch self {
        case .approval: .deferred
        case .interruption: .interrupted
        case .payment: .charging
        }
    }
}
