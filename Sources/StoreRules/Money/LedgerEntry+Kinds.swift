package import StoreModel

// The kinds of entries, each between a customer and one other account.
extension LedgerEntry {
    /// A customer's top-up; the amount is above 0.
    package static func topUp(
        _ amount: Money, to customer: AccountID, in environment: StoreEnvironment,
        request: String, at: Timestamp
    ) throws(LedgerFault) -> LedgerEntry {
        try LedgerEntry(
            .topUp, in: environment, at: at, reference: .request(request),
            postings: giving(amount, to: customer, from: .funding))
    }

    /// The owner gives, or takes with a negative amount.
    package static func correction(
        _ amount: Money, of customer: AccountID, in environment: StoreEnvironment,
        request: String, reason: String, at: Timestamp
    ) throws(LedgerFault) -> LedgerEntry {
        try LedgerEntry(
            .correction, in: environment, at: at, reference: .request(request), note: reason,
            postings: giving(amount, to: customer, from: .funding))
    }

    package static func giftCode(
        _ number: GiftCodeNumber, _ amount: Money, to customer: AccountID,
        in environment: StoreEnvironment, at: Timestamp
    ) throws(LedgerFault) -> LedgerEntry {
        try LedgerEntry(
            .giftCode, in: environment, at: at, reference: .giftCode(number),
            postings: giving(amount, to: customer, from: .giftCodes))
    }

    /// A customer pays for a purchase; the amount is above 0.
    package static func charge(
        _ amount: Money, to customer: AccountID, for transaction: TransactionID,
        earnedBy developer: DeveloperID, in environment: StoreEnvironment, at: Timestamp
    ) throws(LedgerFault) -> LedgerEntry {
        guard let paid = amount.reversed else { throw .overflow }
        return try LedgerEntry(
            .charge, in: environment, at: at, reference: .charge(transaction),
            transaction: transaction,
            postings: giving(paid, to: customer, from: .developer(developer)))
    }

    /// Returns part or all of a charge to its customer, from the developer who earned it.
    package static func refund(
        _ amount: Money, of charge: LedgerEntry, named name: String, at: Timestamp
    ) throws(LedgerFault) -> LedgerEntry {
        guard let earner = charge.postings.first(where: { $0.account.kind == .developer }) else {
            throw .wrongAccount
        }
        return try LedgerEntry(
            .refund, in: charge.environment, at: at, reference: .refund(name),
            transaction: charge.transaction,
            postings: giving(amount, to: charge.customer, from: earner.account))
    }

    /// Takes back a whole refund from its customer, for the developer who paid it; the name is the
    /// refund's.
    package static func reversal(
        of refund: LedgerEntry, named name: String, at: Timestamp
    ) throws(LedgerFault) -> LedgerEntry {
        guard let earner = refund.postings.first(where: { $0.account.kind == .developer }) else {
            throw .wrongAccount
        }
        guard let taken = refund.amount.reversed else { throw .overflow }
        return try LedgerEntry(
            .charge, in: refund.environment, at: at, reference: .reversal(name),
            transaction: refund.transaction,
            postings: giving(taken, to: refund.customer, from: earner.account))
    }

    /// A provider pays what credit does not cover, for a sale in the same commit.
    package static func payment(_ payment: Payment, _ amount: Money, at: Timestamp)
        throws(LedgerFault) -> LedgerEntry
    {
        try LedgerEntry(
            .payment, in: payment.environment, at: at, reference: .payment(payment.id),
            postings: giving(amount, to: payment.account, from: .provider))
    }

    /// Part of a customer's refund is passed on to the provider.
    package static func payout(
        _ refund: PaymentRefund, of payment: Payment, at: Timestamp
    ) throws(LedgerFault) -> LedgerEntry {
        guard let paid = refund.amount.reversed else { throw .overflow }
        return try LedgerEntry(
            .payout, in: payment.environment, at: at, reference: .payout(refund.id),
            postings: giving(paid, to: payment.account, from: .provider))
    }

    /// The provider did not accept it: the customer keeps it as credit.
    package static func returned(
        _ refund: PaymentRefund, of payment: Payment, at: Timestamp
    ) throws(LedgerFault) -> LedgerEntry {
        try LedgerEntry(
            .payment, in: payment.environment, at: at, reference: .returned(refund.id),
            postings: giving(refund.amount, to: payment.account, from: .provider))
    }

    private static func giving(
        _ amount: Money, to customer: AccountID, from other: LedgerAccount
    ) throws(LedgerFault) -> [LedgerPosting] {
        guard let given = amount.reversed else { throw .overflow }
        return [LedgerPosting(.customer(customer), amount), LedgerPosting(other, given)]
    }
}
