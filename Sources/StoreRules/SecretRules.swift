package import StoreModel

/// How long a shared secret is valid, by the real clock.
package struct SecretTerm: Hashable, Sendable {
    /// Nil for the current one, which has not been replaced.
    package let acceptedUntil: Timestamp?
    /// A revocation is final, whatever the clock does.
    package let revokedAt: Timestamp?

    package init(acceptedUntil: Timestamp?, revokedAt: Timestamp?) {
        self.acceptedUntil = acceptedUntil
        self.revokedAt = revokedAt
    }
}

package enum SecretRules {
    /// How long a replaced secret is still accepted by default: a day.
    package static let overlapMillisecondsUsual: Int64 = 86_400_000
    /// The longest overlap: 30 days.
    package static let overlapMillisecondsMax: Int64 = 30 * 86_400_000
    /// Secrets of one owner that are accepted at once.
    package static let acceptedMax = 8

    package static func state(of term: SecretTerm, now: Timestamp) -> SecretState {
        if term.revokedAt != nil { return .revoked }
        guard let until = term.acceptedUntil else { return .current }
        return now < until ? .ending : .ended
    }

    package static func isAccepted(_ term: SecretTerm, now: Timestamp) -> Bool {
        switch state(of: term, now: now) {
        case .current, .ending: true
        case .ended, .revoked: false
        }
    }

    /// When a secret that is replaced ends: never later than it would have anyway.
    package static func end(
        of term: SecretTerm, afterOverlap milliseconds: Int64, now: Timestamp
    ) -> Timestamp {
        let end = now.adding(milliseconds: milliseconds)
        return term.acceptedUntil.map { min($0, end) } ?? end
    }
}
