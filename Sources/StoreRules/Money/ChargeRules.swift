package import StoreModel

/// Whether a purchase can be paid.
package enum ChargeDecision: Hashable, Sendable {
    /// It costs nothing, so nothing is entered.
    case free
    case pay
    /// The account lacks so much.
    case insufficientCredit(missing: Money)
}

/// Why nothing is given back. Ordered: the first reason that holds is given.
package enum RefundRefusal: Hashable, Sendable {
    /// The ledger charged nothing for the transaction: it was free, or of the sandbox.
    case nothingCharged
    /// Another refund has this reference.
    case referenceReused
    case otherCurrency
    /// Below 0.
    case amountNotAllowed
    /// More than what is left of the charge.
    case exceeds(left: Money)
}

/// What becomes of a refund.
package enum RefundDecision: Hashable, Sendable {
    /// The very refund was made before: answer what it gave back.
    case answerKnown(Money)
    /// Nothing is asked for, or nothing is left of the charge, so nothing is entered.
    case nothing(Money)
    case refuse(RefundRefusal)
    case give(Money)
}

/// What purchases cost their buyers, and what they are given back.
package enum ChargeRules {
    /// Whether an account that has `credit` pays so much; an amount below 0 is a fault of the
    /// caller.
    package static func charging(
        _ amount: Money, credit: Money
    ) throws(LedgerFault) -> ChargeDecision {
        if amount.milliunits == 0 { return .free }
        guard amount.milliunits > 0 else { throw .wrongDirection }
        guard let rest = credit.subtracting(amount) else { throw .mixedCurrencies }
        guard rest.milliunits < 0 else { return .pay }
        guard let missing = rest.reversed else { throw .overflow }
        return .insufficientCredit(missing: missing)
    }

    /// How much is given back of a charge: `amount`, or all that is left when it is nil.
    ///
    /// `charge` is the transaction's, `refunded` what was given back of it, in its currency;
    /// `known` is the entry that the refund's reference stands for.
    package static func refunding(
        _ amount: Money?, of charge: LedgerEntry?, refunded: Int64, known: LedgerEntry?
    ) throws(LedgerFault) -> RefundDecision {
        guard let charge else { return .refuse(.nothingCharged) }
        if let known {
            let isSame =
                known.transaction == charge.transaction
                && (amount.map { $0 == known.amount } ?? true)
            return isSame ? .answerKnown(known.amount) : .refuse(.referenceReused)
        }
        let currency = charge.amount.currency
        guard let paid = charge.amount.reversed,
            let left = paid.subtracting(Money(milliunits: refunded, currency: currency))
        else { throw .overflow }
        let wanted = amount ?? left
        guard wanted.currency == currency else { return .refuse(.otherCurrency) }
        guard wanted.milliunits >= 0 else { return .refuse(.amountNotAllowed) }
        guard wanted.milliunits <= left.milliunits else { return .refuse(.exceeds(left: left)) }
        return wanted.milliunits == 0 ? .nothing(wanted) : .give(wanted)
    }
}
