package import StoreModel

/// Whether a purchase can be paid.
package enum ChargeDecision: Hashable, Sendable {
    /// It is free, so nothing is entered.
    case free
    case pay
    /// The account lacks this amount.
    case insufficientCredit(missing: Money)
}

/// Why nothing is refunded. Ordered: the first reason that applies is given.
package enum RefundRefusal: Hashable, Sendable {
    /// The ledger charged nothing for the transaction: it was free, or made in the sandbox.
    case nothingCharged
    /// Another refund has this reference.
    case referenceReused
    case otherCurrency
    /// Below 0.
    case amountNotAllowed
    /// More than the rest of the charge.
    case exceeds(left: Money)
}

/// The outcome of a refund.
package enum RefundDecision: Hashable, Sendable {
    /// The same refund was made before: answer with its amount.
    case answerKnown(Money)
    /// The requested amount is zero, or the whole charge was refunded, so nothing is entered.
    case nothing(Money)
    case refuse(RefundRefusal)
    case give(Money)
}

/// The charges for purchases, and their refunds.
package enum ChargeRules {
    /// Whether an account with `credit` can pay an amount; a negative amount is the caller's fault.
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

    /// How much of a charge is refunded: `amount`, or the whole rest when it is nil.
    ///
    /// `charge` is the transaction's, `refunded` the amount already refunded, in its currency;
    /// `known` is the entry with the refund's reference.
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
