/// Where a purchase attempt stands; stored, so that a crash at any line leaves one of these.
package enum AttemptState: String, Codable, CaseIterable, Sendable {
    /// Written down, nothing decided yet.
    case received
    /// A payment gateway was asked and has not answered yet.
    case charging
    /// A gateway's answer was lost; a janitor settles it.
    case unknown
    /// Waits for somebody's approval.
    case deferred
    /// Waits until the person has settled something with the store; the app was told that it
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
