import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreWire

// The money of what is taken back, in the commit that takes it back or gives it back. What the
// ledger was not charged for, as in the sandbox or for nothing, moves none.
extension WriteScope {
    /// Where the money goes back: `amount` of what a transaction was charged, or less where less is
    /// left; nil for all that is left. `revocation` is the event that says that it was taken back,
    /// so that each time it is taken back is a refund of its own.
    borrowing func giveMoneyBack(
        _ amount: Money?, of transaction: TransactionID, by revocation: EventNumber,
        at now: Timestamp, real: Timestamp
    ) throws {
        let given = try giveBack(
            atMost: amount, of: transaction, reference: Self.refundName(revocation), at: now)
        if let given { try payOut(given, of: transaction, at: now, real: real) }
    }

    /// Where it goes out again: what was given back when a transaction was taken back the last
    /// time. Refuses what the customer cannot pay.
    borrowing func takeMoneyAgain(of transaction: StoreTransaction, at now: Timestamp) throws {
        guard let revocation = try reading({ try $0.lastRevocation(of: transaction) }) else {
            return
        }
        let name = Self.refundName(revocation)
        guard let given = try reading({ try $0.ledgerEntry(.refund(name)) })?.entry,
            try reading({ try $0.ledgerEntry(.reversal(name)) }) == nil
        else { return }
        let credit = try reading {
            try $0.credit(of: given.customer, in: given.amount.currency)
        }
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
    /// What a transaction gave back when it was taken back the last time, and where it went; nil
    /// when that was nothing.
    borrowing func moneyGivenBack(of transaction: StoreTransaction) throws -> RevokedMoneyBody? {
        guard let revocation = try lastRevocation(of: transaction),
            let given = try ledgerEntry(.refund(WriteScope.refundName(revocation)))
        else { return nil }
        let amount = given.entry.amount
        // What goes out again is entered right after it, in the same commit.
        let refunds = try payment(for: transaction.id).map { try self.refunds(of: $0.id) } ?? []
        let out = try refunds.first {
            try ledgerEntry(.payout($0.id))?.number.rawValue == given.number.rawValue + 1
        }
        // What the provider never took goes nowhere, and what it declined to take back is credit.
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

    /// The newest event that says that a transaction was taken back.
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
