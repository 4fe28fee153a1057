/// What becomes of a consumable that the store refunded when it was used already.
package enum RefundedConsumables: String, CaseIterable, Sendable {
    /// All of it is taken back: the balance may go below zero, until more is bought.
    case belowZero = "below-zero"
    /// What was used is kept: the balance ends at zero.
    case keepUsed = "keep-used"

    /// How much of a refunded quantity the user keeps, when taking back all of it leaves a balance.
    func kept(of quantity: Int64, leaving balance: Int64) -> Int64 {
        switch self {
        case .belowZero: 0
        case .keepUsed: min(quantity, max(0, -balance))
        }
    }
}
