/// What became of a sold transaction: the first case that applies.
package enum TransactionState: String, Codable, CaseIterable, Sendable {
    /// It was taken back: for a refund, by the owner, or from a family member.
    case revoked
    /// Another product of the group took the place of its period.
    case replaced
    /// The app has not finished it.
    case unfinished
    case finished
}
