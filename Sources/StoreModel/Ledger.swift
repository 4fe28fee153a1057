package enum LedgerEntryEntity {}
package enum GiftCodeEntity {}

/// The position of an entry in its world's ledger, from 1.
package typealias LedgerEntryNumber = Identifier<LedgerEntryEntity, Int64>
/// A gift code's number in its world; never the code itself.
package typealias GiftCodeNumber = Identifier<GiftCodeEntity, Int64>

/// Why money moved.
package enum LedgerEntryKind: String, Codable, CaseIterable, Sendable {
    /// A customer's credit was topped up.
    case topUp
    /// A customer redeemed a gift code.
    case giftCode
    /// A customer paid for a purchase.
    case charge
    /// The price of a purchase was given back, in full or in part.
    case refund
    /// The owner corrected a mistake.
    case correction
    /// A customer's payment provider paid what credit did not cover, or did not take back a payout.
    case payment
    /// The part of a refund that went back to the provider.
    case payout
}

/// The state of a gift code.
package enum GiftCodeState: String, Codable, CaseIterable, Sendable {
    case open
    case redeemed
    /// The owner voided it.
    case voided
    case expired
}
