import StoreDatabase
import StoreModel
import StoreRules

/// A payment with the names of its account and app, for the store's owner.
struct NamedPayment: Sendable {
    let payment: Payment
    let number: Int64
    let account: String
    let bundleID: String
    let refunds: [PaymentRefund]
}

let paymentColumns = """
    payment.id, payment.environment, payment.account_id, payment.app_id, payment.product_id,
    waiting_number, subscription_id, payment.milliunits, payment.currency, asked_ms,
    asked_real_ms, payment.state, captured_milliunits, payment.transaction_id, payment.reference,
    payment.reason, payment.tries, is_approved
    """

let namedPaymentRows = """
    SELECT \(paymentColumns), number, account.name, app.bundle_id, next_real_ms FROM payment
    JOIN account ON account.id = payment.account_id
    JOIN app ON app.id = payment.app_id
    """

let paymentRefundColumns = "id, payment_id, milliunits, currency, state, reason"

extension ReadScope {
    /// Whether an environment asks a provider for what its accounts' credit lacks.
    borrowing func asksProvider(in environment: StoreEnvironment) throws -> Bool {
        try row(
            "SELECT 1 FROM environment WHERE kind = ?1 AND asks_provider <> 0", [environment])
            != nil
    }

    borrowing func payment(_ id: PaymentID) throws -> Payment? {
        try row("SELECT \(paymentColumns) FROM payment WHERE id = ?1", [id])
            .map { try Payment($0) }
    }

    /// The payment for a purchase.
    borrowing func payment(for transaction: TransactionID) throws -> Payment? {
        try row(
            "SELECT \(paymentColumns) FROM payment WHERE transaction_id = ?1", [transaction]
        ).map { try Payment($0) }
    }

    /// The refunds of a payment, oldest first.
    borrowing func refunds(of payment: PaymentID) throws -> [PaymentRefund] {
        try rows(
            """
            SELECT \(paymentRefundColumns) FROM payment_refund
            WHERE payment_id = ?1 ORDER BY number
            """, [payment]
        ).map { try PaymentRefund($0) }
    }

    /// How much of a payment was refunded, or is to be.
    borrowing func paidOutMilliunits(of payment: PaymentID) throws -> Int64 {
        try value(
            "SELECT coalesce(sum(milliunits), 0) FROM payment_refund WHERE payment_id = ?1",
            [payment]) ?? 0
    }

    borrowing func paymentRefund(_ id: PaymentRefundID) throws -> PaymentRefund? {
        try row(
            "SELECT \(paymentRefundColumns) FROM payment_refund WHERE id = ?1", [id]
        ).map { try PaymentRefund($0) }
    }

    /// The world's payments after one of them, in the order in which they were asked for.
    borrowing func namedPayments(
        after number: Int64, in state: Payment.State?, countMax: Int
    ) throws -> [NamedPayment] {
        try rows(
            """
            \(namedPaymentRows) WHERE number > ?1 AND (payment.state = ?2 OR ?2 IS NULL)
            ORDER BY number LIMIT ?3
            """, [number, state, countMax]
        ).map { try NamedPayment($0, refunds: refunds(of: try $0["id"])) }
    }

    /// How many payments a provider was asked for, for what waits under a number.
    borrowing func paymentCount(ofWaiting number: Int64) throws -> Int64 {
        try value(
            "SELECT count(*) FROM payment WHERE waiting_number = ?1", [number]) ?? 0
    }

    /// How many of an account's purchase payments in the last hour of the real clock were declined,
    /// or may be, since one that was not.
    borrowing func declinedInARow(of account: AccountID, real: Timestamp) throws -> Int {
        let states: [String] = try values(
            """
            SELECT state FROM payment
            WHERE account_id = ?1 AND waiting_number IS NOT NULL AND asked_real_ms > ?2
            ORDER BY number DESC LIMIT ?3
            """,
            [
                account, real.milliseconds - Limits.declinedPaymentsMilliseconds,
                Limits.declinedPaymentsMax + PurchaseRules.waitingMax,
            ])
        let isPaid: Set<String> = ["capturing", "captured", "failed"]
        let counts: Set<String> = ["declined", "authorizing"]
        return states.prefix { !isPaid.contains($0) }.count { counts.contains($0) }
    }
}

extension WriteScope {
    borrowing func setAsksProvider(_ asks: Bool, in environment: StoreEnvironment) throws {
        try execute(
            "UPDATE environment SET asks_provider = ?2 WHERE kind = ?1", [environment, asks])
    }

    /// Stores a payment to be asked of its provider at once.
    borrowing func add(_ payment: Payment) throws {
        var (waiting, subscription): (Int64?, Int64?)
        switch payment.purpose {
        case .purchase(let number): waiting = number
        case .renewal(let original): subscription = original.rawValue
        }
        try insert(
            into: "payment",
            [
                "id": payment.id, "number": try next("payment"), "environment": payment.environment,
                "account_id": payment.account, "app_id": payment.app, "product_id": payment.product,
                "waiting_number": waiting, "subscription_id": subscription,
                "milliunits": payment.amount.milliunits, "currency": payment.amount.currency.code,
                "asked_ms": payment.askedAt, "asked_real_ms": payment.askedReal,
                "state": payment.state, "tries": 0, "next_real_ms": payment.askedReal,
            ])
    }

    /// Stores a payment's present state. Its provider's next request is due at once.
    borrowing func save(_ payment: Payment, real: Timestamp) throws {
        let isOpen = PaymentRules.step(of: payment.state) != nil
        try execute(
            """
            UPDATE payment SET state = ?2, captured_milliunits = ?3, transaction_id = ?4,
                reference = ?5, reason = ?6, tries = 0, next_real_ms = ?7
            WHERE id = ?1
            """,
            [
                payment.id, payment.state, payment.captured?.milliunits, payment.transaction,
                payment.reference, payment.reason, isOpen ? real.milliseconds : nil,
            ])
    }

    /// Notes that a provider approved a payment that waits for another of its account.
    borrowing func putOff(_ payment: Payment, real: Timestamp) throws {
        let next = real.adding(milliseconds: PaymentRules.putOffMilliseconds)
        try execute(
            """
            UPDATE payment SET is_approved = 1, reference = ?2, tries = 0, next_real_ms = ?3
            WHERE id = ?1 AND state = 'authorizing'
            """, [payment.id, payment.reference, next])
    }

    /// Makes an account's postponed payments due at once, because another one is decided.
    borrowing func goOn(with account: AccountID, real: Timestamp) throws {
        try execute(
            """
            UPDATE payment SET next_real_ms = ?2
            WHERE account_id = ?1 AND is_approved <> 0 AND state = 'authorizing'
            """, [account, real])
    }

    borrowing func add(_ refund: PaymentRefund, real: Timestamp) throws {
        try insert(
            into: "payment_refund",
            [
                "id": refund.id, "number": try next("payment_refund"), "payment_id": refund.payment,
                "milliunits": refund.amount.milliunits, "currency": refund.amount.currency.code,
                "state": refund.state, "reason": refund.reason, "tries": 0,
                "next_real_ms": refund.state == .refunding ? real.milliseconds : nil,
            ])
    }

    /// Stores the outcome of a refund.
    borrowing func save(_ refund: PaymentRefund) throws {
        try execute(
            """
            UPDATE payment_refund SET state = ?2, reason = ?3, next_real_ms = NULL WHERE id = ?1
            """, [refund.id, refund.state, refund.reason])
    }

    /// Notes that a provider did not answer, and when to ask it again.
    borrowing func askLater(_ payment: Payment, real: Timestamp) throws {
        try askLater("payment", payment.id.rawValue, real: real, payment)
    }

    borrowing func askLater(_ refund: PaymentRefund, real: Timestamp) throws {
        try askLater("payment_refund", refund.id.rawValue, real: real)
    }

    private borrowing func askLater(
        _ table: String, _ id: String, real: Timestamp, _ payment: Payment? = nil
    ) throws {
        let before: Int64? = try value("SELECT tries FROM \(table) WHERE id = ?1", [id])
        let tries = (before ?? 0) + 1
        let next = PaymentRules.nextTry(payment, afterTries: tries, real: real)
        try execute(
            """
            UPDATE \(table) SET tries = ?2, next_real_ms = ?3
            WHERE id = ?1 AND next_real_ms IS NOT NULL
            """, [id, tries, next])
    }
}

extension Payment {
    /// From `paymentColumns`.
    init(_ row: Row) throws {
        let purpose: Purpose
        if let number: Int64 = try row["waiting_number"] {
            purpose = .purchase(waiting: number)
        } else {
            purpose = .renewal(try row["subscription_id"])
        }
        let amount = try row.money("milliunits", "currency")
        self.init(
            id: try row["id"], purpose: purpose,
            environment: try row["environment"],
            account: try row["account_id"], app: try row["app_id"],
            product: try row["product_id"], amount: amount,
            askedAt: try row["asked_ms"],
            askedReal: try row["asked_real_ms"])
        state = try row["state"]
        captured = try row.moneyOrNil("captured_milliunits", "currency")
        transaction = try row["transaction_id"]
        reference = try row["reference"]
        reason = try row["reason"]
        tries = try row["tries"]
        isApproved = try row["is_approved"]
    }
}

extension PaymentRefund {
    /// From `paymentRefundColumns`.
    init(_ row: Row) throws {
        self.init(
            id: try row["id"], payment: try row["payment_id"],
            amount: try row.money("milliunits", "currency"))
        state = try row["state"]
        reason = try row["reason"]
    }
}

extension NamedPayment {
    /// From `namedPaymentRows`.
    init(_ row: Row, refunds: [PaymentRefund]) throws {
        self.init(
            payment: try Payment(row), number: try row["number"],
            account: try row["name"], bundleID: try row["bundle_id"],
            refunds: refunds)
    }
}
