package import StoreModel

/// What an entry came of. It is in a ledger once, so that the same thing is not entered twice.
package struct LedgerReference: Hashable, Sendable {
    package let text: String

    /// As it was stored.
    package init(stored text: String) {
        self.text = text
    }

    /// The owner's request to top up or correct, by the id that its sender made.
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

    /// One of a purchase's refunds, by the name that the caller gives it.
    package static func refund(_ name: String) -> LedgerReference {
        LedgerReference(stored: "refund/\(name)")
    }

    /// The refund of that name is taken again.
    package static func reversal(_ name: String) -> LedgerReference {
        LedgerReference(stored: "\(reversalPrefix)\(name)")
    }

    /// What a provider authorized, at the sale that it was authorized for.
    package static func payment(_ id: PaymentID) -> LedgerReference {
        LedgerReference(stored: "payment/\(id)")
    }

    /// What goes back to a provider.
    package static func payout(_ id: PaymentRefundID) -> LedgerReference {
        LedgerReference(stored: "payout/\(id)")
    }

    /// What a provider did not take back, so that it stays the customer's credit.
    package static func returned(_ id: PaymentRefundID) -> LedgerReference {
        LedgerReference(stored: "returned/\(id)")
    }

    /// How the references of reversals begin.
    package static let reversalPrefix = "reversal/"
}
