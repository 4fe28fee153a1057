/// What a shared secret is worth.
package enum SecretState: String, Codable, CaseIterable, Sendable {
    case current
    /// Replaced, and accepted for a while yet.
    case ending
    /// Replaced, and its time is over.
    case ended
    case revoked
}
