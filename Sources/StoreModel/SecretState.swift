/// The state of a shared secret.
package enum SecretState: String, Codable, CaseIterable, Sendable {
    case current
    /// Replaced, and still accepted for a while.
    case ending
    /// Replaced, and no longer accepted.
    case ended
    case revoked
}
