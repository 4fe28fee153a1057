package enum LedgerEntryEntity {}
package enum GiftCodeEntity {}

/// The position of an entry in its world's ledger, from 1.
package typealias LedgerEntryNumber = Identifier<LedgerEntryEntity, Int64>
/// A gift code's number in its world; never the code itself.
package typealias GiftCodeNumber = Identifier<GiftCodeEntity, Int64>

/// Why money moved.
package enum LedgerEntryKind: String, Codable, CaseIterable, Sendable {
    /// A customer paid in.
    case topUp
    /// A customer redeemed a gift code.
    case giftCode
    /// A customer paid for a purchase.
    case charge
    /// What a purchase cost was given back, or some of it.
    case refund
    /// The owner set right what was wrong.
    case correction
    /// A customer's payment provider paid what credit did not, or did not take back what was paid out.
    case payment
    /// What of a refund went back to the provider.
    case payout
}

/// What can be done with a gift code.
package enum GiftCodeState: String, Codable, CaseIterable, Sendable {
    case open
    case redeemed
    /// The owner took it back.
    case voided
    case expired
}
