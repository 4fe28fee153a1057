import StoreDatabase
import StoreModel
import StoreRules

/// A payment with the names of whose it is, for the store's owner.
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

/// How many those are.
let paymentColumnCount = 18

let namedPaymentRows = """
    SELECT \(paymentColumns), number, account.name, app.bundle_id, next_real_ms FROM payment
    JOIN account ON account.id = payment.account_id
    JOIN app ON app.id = payment.app_id
    """

let paymentRefundColumns = "id, payment_id, milliunits, currency, state, reason"

/// How many those are.
let paymentRefundColumnCount = 6

extension ReadScope {
    /// Whether what the credit of an environment's accounts lacks is asked of a provider.
    borrowing func asksProvider(in environment: StoreEnvironment) throws -> Bool {
        try row(
            "SELECT 1 FROM environment WHERE kind = ?1 AND asks_provider <> 0",
            [.text(environment.rawValue)]) != nil
    }

    borrowing func payment(_ id: PaymentID) throws -> Payment? {
        try row("SELECT \(paymentColumns) FROM payment WHERE id = ?1", [.text(id.rawValue)])
            .map { try Payment($0) }
    }

    /// What was paid for a purchase.
    borrowing func payment(for transaction: TransactionID) throws -> Payment? {
        try row(
            "SELECT \(paymentColumns) FROM payment WHERE transaction_id = ?1",
            [.integer(transaction.rawValue)]
        ).map { try Payment($0) }
    }

    /// What goes back of a payment, oldest first.
    borrowing func refunds(of payment: PaymentID) throws -> [PaymentRefund] {
        try rows(
            """
            SELECT \(paymentRefundColumns) FROM payment_refund
            WHERE payment_id = ?1 ORDER BY number
            """, [.text(payment.rawValue)]
        ).map { try PaymentRefund($0) }
    }

    /// How much of a payment went back, or is to.
    borrowing func paidOutMilliunits(of payment: PaymentID) throws -> Int64 {
        try row(
            "SELECT coalesce(sum(milliunits), 0) FROM payment_refund WHERE payment_id = ?1",
            [.text(payment.rawValue)])?.integer(0) ?? 0
    }

    borrowing func paymentRefund(_ id: PaymentRefundID) throws -> PaymentRefund? {
        try row(
            "SELECT \(paymentRefundColumns) FROM payment_refund WHERE id = ?1",
            [.text(id.rawValue)]
        ).map { try PaymentRefund($0) }
    }

    /// Those of the world after one of them, in the order in which they were asked for.
    borrowing func namedPayments(
        after number: Int64, in state: Payment.State?, countMax: Int
    ) throws -> [NamedPayment] {
        try rows(
            """
            \(namedPaymentRows) WHERE number > ?1 AND (payment.state = ?2 OR ?2 IS NULL)
            ORDER BY number LIMIT ?3
            """, [.integer(number), .text(state?.rawValue), .integer(Int64(countMax))]
        ).map { try NamedPayment($0, refunds: refunds(of: PaymentID($0.text(0)))) }
    }

    borrowing func namedPayment(_ id: PaymentID) throws -> NamedPayment? {
        try row("\(namedPaymentRows) WHERE payment.id = ?1", [.text(id.rawValue)])
            .map { try NamedPayment($0, refunds: refunds(of: id)) }
    }

    /// How often a provider was asked for what waits under a number.
    borrowing func paymentCount(ofWaiting number: Int64) throws -> Int64 {
        try row(
            "SELECT count(*) FROM payment WHERE waiting_number = ?1", [.integer(number)]
        )?.integer(0) ?? 0
    }

    /// How many payments of an account's purchases were declined within an hour of the real clock, or
    /// may be, since one was not.
    borrowing func declinedInARow(of account: AccountID, real: Timestamp) throws -> Int {
        let found = try rows(
            """
            SELECT state FROM payment
            WHERE account_id = ?1 AND waiting_number IS NOT NULL AND asked_real_ms > ?2
            ORDER BY number DESC LIMIT ?3
            """,
            [
                .integer(account.rawValue),
                .integer(real.milliseconds - Limits.declinedPaymentsMilliseconds),
                .integer(Int64(Limits.declinedPaymentsMax + PurchaseRules.waitingMax)),
            ])
        let isPaid: Set<String> = ["capturing", "captured", "failed"]
        let counts: Set<String> = ["declined", "authorizing"]
        return found.map { $0.text(0) }.prefix { !isPaid.contains($0) }
            .count { counts.contains($0) }
    }
}

extension WriteScope {
    borrowing func setAsksProvider(_ asks: Bool, in environment: StoreEnvironment) throws {
        try execute(
            "UPDATE environment SET asks_provider = ?2 WHERE kind = ?1",
            [.text(environment.rawValue), .integer(asks ? 1 : 0)])
    }

    /// Stores a payment that its provider is to be asked for at once.
    borrowing func add(_ payment: Payment) throws {
        var (waiting, subscription): (Int64?, Int64?)
        switch payment.purpose {
        case .purchase(let number): waiting = number
        case .renewal(let original): subscription = original.rawValue
        }
        try execute(
            """
            INSERT INTO payment (id, number, environment, account_id, app_id, product_id,
                waiting_number, subscription_id, milliunits, currency, asked_ms, asked_real_ms,
                state, tries, next_real_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, 0, ?12)
            """,
            [
                .text(payment.id.rawValue), .integer(try next("payment")),
                .text(payment.environment.rawValue), .integer(payment.account.rawValue),
                .integer(payment.app.rawValue), .text(payment.product.rawValue),
                .integer(waiting), .integer(subscription), .integer(payment.amount.milliunits),
                .text(payment.amount.currency.code), .integer(payment.askedAt.milliseconds),
                .integer(payment.askedReal.milliseconds), .text(payment.state.rawValue),
            ])
    }

    /// Stores where a payment stands now. What its provider is to be asked next is asked at once.
    borrowing func save(_ payment: Payment, real: Timestamp) throws {
        let isOpen = PaymentRules.step(of: payment.state) != nil
        try execute(
            """
            UPDATE payment SET state = ?2, captured_milliunits = ?3, transaction_id = ?4,
                reference = ?5, reason = ?6, tries = 0, next_real_ms = ?7
            WHERE id = ?1
            """,
            [
                .text(payment.id.rawValue), .text(payment.state.rawValue),
                .integer(payment.captured?.milliunits), .integer(payment.transaction?.rawValue),
                .text(payment.reference), .text(payment.reason),
                .integer(isOpen ? real.milliseconds : nil),
            ])
    }

    /// Notes that a provider approved what waits for another payment of its account.
    borrowing func putOff(_ payment: Payment, real: Timestamp) throws {
        let next = real.adding(milliseconds: PaymentRules.putOffMilliseconds)
        try execute(
            """
            UPDATE payment SET is_approved = 1, reference = ?2, tries = 0, next_real_ms = ?3
            WHERE id = ?1 AND state = 'authorizing'
            """,
            [.text(payment.id.rawValue), .text(payment.reference), .integer(next.milliseconds)])
    }

    /// Has what an account put off gone on with at once: another payment of it is decided.
    borrowing func goOn(with account: AccountID, real: Timestamp) throws {
        try execute(
            """
            UPDATE payment SET next_real_ms = ?2
            WHERE account_id = ?1 AND is_approved <> 0 AND state = 'authorizing'
            """, [.integer(account.rawValue), .integer(real.milliseconds)])
    }

    borrowing func add(_ refund: PaymentRefund, real: Timestamp) throws {
        try execute(
            """
            INSERT INTO payment_refund (id, number, payment_id, milliunits, currency, state,
                reason, tries, next_real_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, ?8)
            """,
            [
                .text(refund.id.rawValue), .integer(try next("payment_refund")),
                .text(refund.payment.rawValue), .integer(refund.amount.milliunits),
                .text(refund.amount.currency.code), .text(refund.state.rawValue),
                .text(refund.reason),
                .integer(refund.state == .refunding ? real.milliseconds : nil),
            ])
    }

    /// Stores how a refund ended.
    borrowing func save(_ refund: PaymentRefund) throws {
        try execute(
            """
            UPDATE payment_refund SET state = ?2, reason = ?3, next_real_ms = NULL WHERE id = ?1
            """,
            [
                .text(refund.id.rawValue), .text(refund.state.rawValue), .text(refund.reason),
            ])
    }

    /// Notes that a provider did not answer, and when it is asked again.
    borrowing func askLater(_ payment: Payment, real: Timestamp) throws {
        try askLater("payment", payment.id.rawValue, real: real, payment)
    }

    borrowing func askLater(_ refund: PaymentRefund, real: Timestamp) throws {
        try askLater("payment_refund", refund.id.rawValue, real: real)
    }

    private borrowing func askLater(
        _ table: String, _ id: String, real: Timestamp, _ payment: Payment? = nil
    ) throws {
        let found = try reading {
            try $0.row("SELECT tries FROM \(table) WHERE id = ?1", [.text(id)])
        }
        let tries = (found?.integer(0) ?? 0) + 1
        let next = PaymentRules.nextTry(payment, afterTries: tries, real: real)
        try execute(
            """
            UPDATE \(table) SET tries = ?2, next_real_ms = ?3
            WHERE id = ?1 AND next_real_ms IS NOT NULL
            """, [.text(id), .integer(tries), .integer(next.milliseconds)])
    }
}

extension Payment {
    /// From `paymentColumns`.
    init(_ row: Row) throws {
        let purpose: Purpose
        if let number = row.integerOrNil(5) {
            purpose = .purchase(waiting: number)
        } else {
            purpose = .renewal(TransactionID(row.integer(6)))
        }
        let amount = try Money(stored: row, from: 7)
        self.init(
            id: PaymentID(row.text(0)), purpose: purpose,
            environment: try StoreEnvironment(stored: row.text(1)),
            account: AccountID(row.integer(2)), app: AppID(row.integer(3)),
            product: ProductID(row.text(4)), amount: amount,
            askedAt: Timestamp(milliseconds: row.integer(9)),
            askedReal: Timestamp(milliseconds: row.integer(10)))
        state = try State(stored: row.text(11))
        captured = row.integerOrNil(12).map { Money(milliunits: $0, currency: amount.currency) }
        transaction = row.integerOrNil(13).map { TransactionID($0) }
        reference = row.textOrNil(14)
        reason = row.textOrNil(15)
        tries = row.integer(16)
        isApproved = row.integer(17) != 0
    }
}

extension PaymentRefund {
    /// From `paymentRefundColumns`.
    init(_ row: Row) throws {
        self.init(
            id: PaymentRefundID(row.text(0)), payment: PaymentID(row.text(1)),
            amount: try Money(stored: row, from: 2))
        state = try State(stored: row.text(4))
        reason = row.textOrNil(5)
    }
}

extension NamedPayment {
    fileprivate init(_ row: Row, refunds: [PaymentRefund]) throws {
        self.init(
            payment: try Payment(row), number: row.integer(paymentColumnCount),
            account: row.text(paymentColumnCount + 1), bundleID: row.text(paymentColumnCount + 2),
            refunds: refunds)
    }
}
