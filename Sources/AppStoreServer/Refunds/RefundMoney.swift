import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreWire

// The money of purchases that are taken back, in the commit that takes them back or gives them
// back. A purchase that the ledger did not charge, as in the sandbox or when it was free, moves
// none.
extension WriteScope {
    /// Refunds `amount` of a transaction's charge, or less when less is left; nil for all that is
    /// left. `revocation` is the event of taking it back, so that each revocation is a refund of
    /// its own.
    borrowing func giveMoneyBack(
        _ amount: Money?, of transaction: TransactionID, by revocation: EventNumber,
        at now: Timestamp, real: Timestamp
    ) throws {
        let given = try giveBack(
            atMost: amount, of: transaction, reference: Self.refundName(revocation), at: now)
        if let given { try payOut(given, of: transaction, at: now, real: real) }
    }

    /// Takes again the refund of a transaction's last revocation. Refuses an amount that the
    /// customer cannot pay.
    borrowing func takeMoneyAgain(of transaction: StoreTransaction, at now: Timestamp) throws {
        guard let revocation = try reading.lastRevocation(of: transaction) else {
            return
        }
        let name = Self.refundName(revocation)
        guard let given = try reading.ledgerEntry(.refund(name))?.entry,
            try reading.ledgerEntry(.reversal(name)) == nil
        else { return }
        let credit = try reading.credit(of: given.customer, in: given.amount.currency)
        guard case .pay = try ChargeRules.charging(given.amount, credit: credit) else {
            throw Refusal(
                409, "creditTooLow", "The account has less credit than that in this currency.")
        }
        _ = try enter(try LedgerEntry.reversal(of: given, named: name, at: now))
    }

    fileprivate static func refundName(_ revocation: EventNumber) -> String {
        "revocation/\(revocation)"
    }
}

extension ReadScope {
    /// The refund of a transaction's last revocation, and where it went; nil when it was nothing.
    borrowing func moneyGivenBack(of transaction: StoreTransaction) throws -> RevokedMoneyBody? {
        guard let revocation = try lastRevocation(of: transaction),
            let given = try ledgerEntry(.refund(WriteScope.refundName(revocation)))
        else { return nil }
        let amount = given.entry.amount
        // A payout is entered right after the refund, in the same commit.
        let refunds = try payment(for: transaction.id).map { try self.refunds(of: $0.id) } ?? []
        let out = try refunds.first {
            try ledgerEntry(.payout($0.id))?.number.rawValue == given.number.rawValue + 1
        }
        // An amount that the provider never took goes nowhere, and one that it declined to take
        // back is credit.
        var (outMilliunits, lostMilliunits) = (out?.amount.milliunits ?? 0, Int64(0))
        if let out, out.state == .failed {
            let isCaptured = try payment(out.payment)?.state == .captured
            (outMilliunits, lostMilliunits) = (0, isCaptured ? 0 : outMilliunits)
        }
        return RevokedMoneyBody(
            transactionId: "\(transaction.id)", currency: amount.currency.code,
            creditMilliunits: amount.milliunits - outMilliunits - lostMilliunits,
            providerMilliunits: outMilliunits)
    }

    /// The newest event of taking a transaction back.
    fileprivate borrowing func lastRevocation(
        of transaction: StoreTransaction
    ) throws -> EventNumber? {
        try value(
            """
            SELECT max(number) FROM event
            WHERE account_id = ?1 AND app_id = ?2 AND kind = 'revoked' AND transaction_id = ?3
            """, [transaction.account, transaction.app, transaction.id])
    }
}
