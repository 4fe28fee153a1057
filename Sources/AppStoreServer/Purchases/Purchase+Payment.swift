import StoreDatabase
import StoreModel
import StoreRules
import StoreWire

// The payment of purchases.
extension Purchase {
    /// The account's means to pay for a product; nil when nobody counts them.
    func means(
        for product: Product?, paidBy payment: Payment? = nil, _ scope: borrowing ReadScope
    ) throws -> PurchaseMeans? {
        let credit = try environment.gateway.credit(
            of: account.id, in: account.storefront.currency, scope)
        guard let credit else { return nil }
        let asks = try mayAsk(after: payment, scope)
        let authorized = payment?.amount
        guard product?.kind == .autoRenewable, let group = product?.subscriptionGroup,
            let known = try scope.subscription(of: account.id, in: session.app, group: group)
        else { return PurchaseMeans(credit: credit, asksProvider: asks, authorized: authorized) }
        return PurchaseMeans(
            credit: credit, refundable: try scope.refundable(known.newest),
            isBeingCaptured: try scope.payment(for: known.newest)?.state == .capturing,
            asksProvider: asks, authorized: authorized)
    }

    /// Whether a payment provider may be asked for the missing amount. It is asked again when
    /// credit that counted was spent elsewhere meanwhile.
    private func mayAsk(
        after payment: Payment?, _ scope: borrowing ReadScope
    ) throws -> Bool {
        guard try scope.asksProvider(in: environment) else { return false }
        if case .purchase(let number) = payment?.purpose {
            return try scope.paymentCount(ofWaiting: number) < Limits.paymentsPerPurchaseMax
        }
        return true
    }

    /// Whether this account's provider is not asked because it lately declined, or may yet decline,
    /// too many payments.
    func isDeclined(_ scope: borrowing ReadScope, real: Timestamp) throws -> Bool {
        try scope.declinedInARow(of: account.id, real: real) >= Limits.declinedPaymentsMax
    }

    /// Asks the payment provider for the missing amount, in whole units that the currency can be
    /// paid in, for what waits under a number.
    func ask(
        for missing: Money, as waiting: Int64, at now: Timestamp, real: Timestamp,
        _ scope: borrowing WriteScope
    ) throws {
        _ = try scope.ask(
            PaymentRules.asked(missing), for: .purchase(waiting: waiting), of: request.product,
            by: account.id, in: session.app, environment, at: now, real: real)
    }

    /// Takes from an authorized payment what credit lacks for a price, in the commit that charges
    /// it; nil when nothing is lacking.
    func take(
        for price: Money, givenBack: Money? = nil, of payment: Payment?, at now: Timestamp,
        _ scope: borrowing WriteScope
    ) throws -> Money? {
        guard let payment else { return nil }
        let product = try scope.reading.product(request.product, of: session.app)
        let missing = try means(for: product, scope.reading)?
            .missingCredit(for: price, givenBack: givenBack)
        guard let missing else { return nil }
        let taken = PaymentRules.asked(missing)
        try scope.take(taken, of: payment, at: now)
        return taken
    }

    /// Charges a transaction's price, in the commit that stores it.
    func pay(
        for transaction: StoreTransaction, at now: Timestamp, _ scope: borrowing WriteScope
    ) throws {
        try environment.gateway.charge(transaction, at: now, scope)
    }

    /// The end of an attempt that could not be paid.
    func refused(lacking missing: Money) -> Attempt {
        var attempt = attempt(.refused, refusal: .insufficientCredit)
        attempt.missing = missing
        return attempt
    }
}

extension RefusalBody {
    /// Why an attempt was refused; nil when it was not.
    init?(of attempt: Attempt) {
        guard let code = attempt.refusal else { return nil }
        guard let missing = attempt.missing else {
            self.init(code: code, message: code.message)
            return
        }
        self.init(
            code: code,
            message: "This account's store credit lacks \(missing.decimal) for it.")
    }
}

extension Money {
    /// An amount that is not below 0, written like `0.5 USD`.
    var decimal: String {
        let fraction = Price(milliunits: milliunits % 1_000)?.decimal.dropFirst() ?? ""
        return "\(milliunits / 1_000)\(fraction) \(currency.code)"
    }
}
