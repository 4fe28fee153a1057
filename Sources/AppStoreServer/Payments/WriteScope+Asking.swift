import StoreDatabase
import StoreModel
import StoreRules

// Requests to a payment provider, stored in the commit that needs them.
extension WriteScope {
    /// Asks the provider to authorize an amount, once the caller has committed.
    borrowing func ask(
        _ amount: Money, for purpose: Payment.Purpose, of product: ProductID, by account: AccountID,
        in app: AppID, _ environment: StoreEnvironment, at now: Timestamp, real: Timestamp
    ) throws -> PaymentID {
        let payment = Payment(
            id: PaymentID(makeUUID()), purpose: purpose, environment: environment,
            account: account, app: app, product: product, amount: amount, askedAt: now,
            askedReal: real)
        try add(payment)
        return payment.id
    }

    /// Gives the customer part of what the provider authorized as credit, to be spent in this
    /// commit.
    borrowing func take(_ amount: Money, of payment: Payment, at now: Timestamp) throws {
        guard amount.milliunits <= payment.amount.milliunits else { throw LedgerFault.overflow }
        _ = try enter(try LedgerEntry.payment(payment, amount, at: now))
    }

    /// Ends an authorized payment: captures the part that was sold, or voids it when nothing was.
    borrowing func end(
        _ payment: Payment, soldAs transaction: TransactionID?, capturing taken: Money?,
        real: Timestamp
    ) throws {
        if let transaction, let taken {
            return try save(
                PaymentRules.sold(payment, as: transaction, capturing: taken), real: real)
        }
        var released = payment
        released.state = .voiding
        try save(released, real: real)
    }

    /// Passes on a purchase's refund to the provider, as far as the provider paid for it.
    borrowing func payOut(
        _ given: Money, of transaction: TransactionID, at now: Timestamp, real: Timestamp
    ) throws {
        guard let payment = try reading.payment(for: transaction) else { return }
        let paidOut = try reading.paidOutMilliunits(of: payment.id)
        guard let amount = PaymentRules.payout(of: given, for: payment, paidOut: paidOut) else {
            return
        }
        var refund = PaymentRefund(
            id: PaymentRefundID(makeUUID()), payment: payment.id, amount: amount)
        if payment.state == .failed { refund.fail(because: Self.neverCaptured) }
        _ = try enter(try LedgerEntry.payout(refund, of: payment, at: now))
        try add(refund, real: real)
    }

    /// Fails the refunds of a payment that the provider did not capture.
    borrowing func failRefunds(of payment: PaymentID) throws {
        for var refund in try reading.refunds(of: payment)
        where refund.state == .refunding {
            refund.fail(because: Self.neverCaptured)
            try save(refund)
        }
    }

    private static var neverCaptured: String { "The payment was never captured." }
}

extension PaymentRefund {
    mutating func fail(because reason: String?) {
        state = .failed
        self.reason = reason
    }
}
