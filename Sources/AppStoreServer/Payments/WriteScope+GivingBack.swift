import StoreDatabase
import StoreModel
import StoreRules

extension ReadScope {
    /// The amount that a transaction can refund towards something else: nothing of what its
    /// provider declined to capture, which nobody paid. Nil when it was charged nothing.
    borrowing func refundable(_ transaction: TransactionID) throws -> Money? {
        guard let left = try leftOfCharge(transaction) else { return nil }
        let payment = try payment(for: transaction)
        let paidOut = try payment.map { try paidOutMilliunits(of: $0.id) }
        return PaymentRules.refundable(left: left, paidWith: payment, paidOut: paidOut ?? 0)
    }

    /// The amount of a transaction's charge that is left to refund; nil when it was charged
    /// nothing.
    borrowing func leftOfCharge(_ transaction: TransactionID) throws -> Money? {
        guard let charge = try ledgerEntry(.charge(transaction))?.entry.amount else { return nil }
        let refunded = Money(
            milliunits: try refundedMilliunits(of: transaction), currency: charge.currency)
        return charge.reversed?.subtracting(refunded)
    }
}

extension WriteScope {
    /// Refunds the unused, paid part of a period that another product replaces. Returns the refund;
    /// nil when the period was charged nothing.
    borrowing func giveBack(
        _ refund: Money, upgrading transaction: TransactionID, at now: Timestamp
    ) throws -> Money? {
        guard let paid = try reading.refundable(transaction) else { return nil }
        guard paid.currency == refund.currency else { throw LedgerFault.mixedCurrencies }
        return try giveBack(
            atMost: paid.milliunits < refund.milliunits ? paid : refund, of: transaction,
            reference: "upgrade/\(transaction)", at: now)
    }

    /// Refunds what is left of a transaction's charge, in the caller's commit: all of it, or no
    /// more than an amount. Does nothing for a transaction that was charged nothing. `reference`
    /// names the refund, which is made once under a name. `now` is what the world's time recorded
    /// in this commit. Returns the refund.
    @discardableResult
    borrowing func giveBack(
        atMost amount: Money? = nil, of transaction: TransactionID, reference: String,
        at now: Timestamp
    ) throws -> Money? {
        guard let left = try reading.leftOfCharge(transaction) else { return nil }
        var given = left
        if let amount {
            guard amount.currency == left.currency else { throw LedgerFault.mixedCurrencies }
            if amount.milliunits < left.milliunits { given = amount }
        }
        if case .refused(let reason) = try refund(
            given, of: transaction, reference: reference, at: now)
        {
            throw DatabaseError(
                code: .other, detail: "\(transaction) cannot be refunded: \(reason)")
        }
        return given
    }
}
