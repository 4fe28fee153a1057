import StoreDatabase
import StoreModel
import StoreRules

private let waitingColumns = """
    account.id, account.environment, account.name, account.storefront,
    waiting_purchase.number, cause, waiting_purchase.attempt_id, product_id, quantity,
    application_username, shown_milliunits, shown_currency, asked_ms, answer,
    device.id, device.guid, device.app_id, app.bundle_id, device.app_version, app.storefront,
    attempt.body_digest, attempt.state, attempt.transaction_id, attempt.refusal,
    missing_milliunits, missing_currency, waiting_purchase.promotional_offer_id,
    approved_milliunits, approved_currency
    """

private let waitingTables = """
    waiting_purchase
    JOIN account ON account.id = waiting_purchase.account_id
    JOIN device ON device.id = waiting_purchase.device_id
    JOIN app ON app.id = device.app_id
    JOIN attempt ON attempt.device_id = waiting_purchase.device_id
        AND attempt.attempt_id = waiting_purchase.attempt_id
    """

extension ReadScope {
    /// How many purchases of an account wait.
    borrowing func waitingCount(of account: AccountID) throws -> Int {
        let found = try row(
            "SELECT count(*) FROM waiting_purchase WHERE account_id = ?1 AND answer IS NULL",
            [.integer(account.rawValue)])
        return Int(found?.integer(0) ?? 0)
    }

    /// What waits for an approval after a number, oldest first.
    borrowing func requestsForApproval(
        after number: Int64, countMax: Int
    ) throws -> [WaitingPurchase] {
        try rows(
            """
            SELECT \(waitingColumns) FROM \(waitingTables)
            WHERE cause = 'approval' AND answer IS NULL AND waiting_purchase.number > ?1
            ORDER BY waiting_purchase.number LIMIT ?2
            """, [.integer(number), .integer(Int64(countMax))]
        ).map { try WaitingPurchase($0) }
    }

    /// A request for approval, answered or not.
    borrowing func requestForApproval(_ number: Int64) throws -> WaitingPurchase? {
        try row(
            """
            SELECT \(waitingColumns) FROM \(waitingTables)
            WHERE waiting_purchase.number = ?1 AND cause = 'approval'
            """, [.integer(number)]
        ).map { try WaitingPurchase($0) }
    }

    /// What waits under a number, or waited.
    borrowing func waitingPurchase(_ number: Int64) throws -> WaitingPurchase? {
        try row(
            "SELECT \(waitingColumns) FROM \(waitingTables) WHERE waiting_purchase.number = ?1",
            [.integer(number)]
        ).map { try WaitingPurchase($0) }
    }

    /// The interrupted purchases of an account, oldest first.
    borrowing func interruptedPurchases(of account: AccountID) throws -> [WaitingPurchase] {
        try rows(
            """
            SELECT \(waitingColumns) FROM \(waitingTables)
            WHERE waiting_purchase.account_id = ?1 AND cause = 'interruption' AND answer IS NULL
            ORDER BY waiting_purchase.number
            """, [.integer(account.rawValue)]
        ).map { try WaitingPurchase($0) }
    }
}

extension WriteScope {
    /// Keeps what an attempt asked for until somebody answers; gives its number. `nonce` is what
    /// it used up for its offer.
    borrowing func addWaitingPurchase(
        _ request: PurchaseRequest, of account: AccountID, on device: DeviceID, cause: WaitingCause,
        nonce: OfferNonce?, now: Timestamp
    ) throws -> Int64 {
        let number = try next("waiting_purchase")
        try execute(
            """
            INSERT INTO waiting_purchase (number, device_id, attempt_id, account_id, cause,
                product_id, quantity, application_username, shown_milliunits, shown_currency,
                asked_ms, promotional_offer_id, offer_nonce)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
            """,
            [
                .integer(number), .integer(device.rawValue),
                .text(request.attempt.rawValue), .integer(account.rawValue), .text(cause.rawValue),
                .text(request.product.rawValue), .integer(Int64(request.quantity)),
                .text(request.applicationUsername), .integer(request.shownPrice?.milliunits),
                .text(request.shownPrice?.currency.code), .integer(now.milliseconds),
                .text(request.offer?.promotionalID), .text(nonce?.text),
            ])
        return number
    }

    /// Notes the price for which a purchase was approved whose provider is asked now.
    borrowing func approve(_ waiting: WaitingPurchase, at price: Money) throws {
        try execute(
            """
            UPDATE waiting_purchase SET approved_milliunits = ?2, approved_currency = ?3
            WHERE number = ?1
            """,
            [
                .integer(waiting.number), .integer(price.milliunits), .text(price.currency.code),
            ])
    }

    /// Stores that nothing is sold for what waited, and lets go of the nonce that it used up: the
    /// same signature may be tried again.
    borrowing func refuse(
        _ waiting: WaitingPurchase, as attempt: Attempt, now: Timestamp
    ) throws {
        try saveAttempt(attempt, of: waiting.session.device, now: now)
        let number = SQLValue.integer(waiting.number)
        try execute(
            """
            DELETE FROM offer_nonce WHERE app_id = ?2 AND nonce = (
                SELECT offer_nonce FROM waiting_purchase WHERE number = ?1)
            """, [number, .integer(waiting.session.app.rawValue)])
        // It is somebody else's from now on.
        try execute(
            "UPDATE waiting_purchase SET offer_nonce = NULL WHERE number = ?1", [number])
    }

    /// Notes the answer to a purchase that waits.
    borrowing func answer(
        _ waiting: WaitingPurchase, _ answer: WaitingPurchase.Answer, now: Timestamp
    ) throws {
        try execute(
            """
            UPDATE waiting_purchase SET answer = ?2, answered_ms = ?3
            WHERE number = ?1 AND answer IS NULL
            """,
            [.integer(waiting.number), .text(answer.rawValue), .integer(now.milliseconds)])
    }
}

extension WaitingPurchase {
    /// From `waitingColumns`.
    fileprivate init(_ row: Row) throws(DatabaseError) {
        let account = try Account(row)
        let attempt = AttemptID(row.text(6))
        self.init(
            number: row.integer(4), cause: try WaitingCause(stored: row.text(5)),
            request: PurchaseRequest(
                attempt: attempt, product: ProductID(row.text(7)), quantity: Int(row.integer(8)),
                applicationUsername: row.textOrNil(9), shownPrice: try Money(row, from: 10),
                offer: row.textOrNil(26).map { .promised($0) }),
            session: DeviceSession(
                device: DeviceID(row.integer(14)), environment: account.environment,
                guid: row.text(15), app: AppID(row.integer(16)), bundleID: row.text(17),
                appVersion: row.text(18), account: account,
                appStorefront: try Storefront(stored: row.text(19)), tokenDigest: []),
            account: account, askedAt: Timestamp(milliseconds: row.integer(12)),
            answer: try row.textOrNil(13).map { text throws(DatabaseError) in
                try Answer(stored: text)
            },
            attempt: Attempt(
                id: attempt, account: account.id, bodyDigest: row.blob(20),
                state: try AttemptState(stored: row.text(21)),
                transaction: row.integerOrNil(22).map { TransactionID($0) },
                refusal: try row.textOrNil(23).map { text throws(DatabaseError) in
                    try RefusalCode(stored: text)
                },
                missing: try Money(row, from: 24)),
            approvedPrice: try Money(row, from: 27))
    }
}

extension Money {
    /// From two columns, milliunits and currency; nil when both are null.
    fileprivate init?(_ row: Row, from column: Int) throws(DatabaseError) {
        guard let milliunits = row.integerOrNil(column), let code = row.textOrNil(column + 1)
        else { return nil }
        guard let currency = Currency(code: code) else {
            throw DatabaseError(code: .notADatabase, detail: "\"\(code)\" is no currency")
        }
        self.init(milliunits: milliunits, currency: currency)
    }
}
