package import StoreModel

/// The origin of an entry. It is unique in a ledger, so that nothing is entered twice.
package struct LedgerReference: Hashable, Sendable {
    package let text: String

    /// As it was stored.
    package init(stored text: String) {
        self.text = text
    }

    /// The owner's request to top up or correct, by the sender's id.
    package static func request(_ id: String) -> LedgerReference {
        LedgerReference(stored: "request/\(id)")
    }

    package static func giftCode(_ number: GiftCodeNumber) -> LedgerReference {
        LedgerReference(stored: "giftCode/\(number)")
    }

    /// A purchase is charged once.
    package static func charge(_ transaction: TransactionID) -> LedgerReference {
        LedgerReference(stored: "charge/\(transaction)")
    }

    /// One of a purchase's refunds, by the caller's name for it.
    package static func refund(_ name: String) -> LedgerReference {
        LedgerReference(stored: "refund/\(name)")
    }

    /// The refund with that name is reversed.
    package static func reversal(_ name: String) -> LedgerReference {
        LedgerReference(stored: "\(reversalPrefix)\(name)")
    }

    /// A provider's authorized payment, at its sale.
    package static func payment(_ id: PaymentID) -> LedgerReference {
        LedgerReference(stored: "payment/\(id)")
    }

    /// A payout to a provider.
    package static func payout(_ id: PaymentRefundID) -> LedgerReference {
        LedgerReference(stored: "payout/\(id)")
    }

    /// A payout that a provider did not accept, so that it stays the customer's credit.
    package static func returned(_ id: PaymentRefundID) -> LedgerReference {
        LedgerReference(stored: "returned/\(id)")
    }

    /// The prefix of reversals' references.
    package static let reversalPrefix = "reversal/"
}
