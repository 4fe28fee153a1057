import StoreDatabase
import StoreModel
import StoreRules
import StoreWire

/// Takes a transaction.
let ledgerReferences = """
    SELECT reference FROM ledger_entry WHERE transaction_id = ?1 ORDER BY number
    """
/// Takes a transaction.
let paymentOfSale = "\(namedPaymentRows) WHERE payment.transaction_id = ?1"

extension ReadScope {
    /// The payment that the provider was asked for to cover a sale.
    borrowing func namedPayment(for transaction: TransactionID) throws -> NamedPayment? {
        try row(paymentOfSale, [transaction]).map {
            try NamedPayment($0, refunds: refunds(of: try $0["id"]))
        }
    }

    /// The part of a sale that was given back for an upgrade.
    borrowing func upgradeRefund(of transaction: TransactionID) throws -> Int64? {
        try value(
            "SELECT milliunits FROM refund WHERE transaction_id = ?1 AND cause = 'upgrade'",
            [transaction])
    }

    /// The entries about a sale, and those about its payment and what went back to the provider.
    borrowing func ledgerEntries(
        of transaction: TransactionID, paidBy payment: NamedPayment?
    ) throws -> [StoredLedgerEntry] {
        let texts: [String] = try values(ledgerReferences, [transaction])
        var references = texts.map { LedgerReference(stored: $0) }
        if let payment {
            references.append(.payment(payment.payment.id))
            references += payment.refunds.flatMap { [.payout($0.id), .returned($0.id)] }
        }
        return try references.compactMap { try ledgerEntry($0) }.sorted { $0.number < $1.number }
    }
}
