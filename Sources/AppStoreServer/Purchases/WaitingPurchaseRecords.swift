import StoreDatabase
import StoreModel
import StoreRules

private let waitingColumns = """
    account.id, account.environment, account.name, account.storefront,
    waiting_purchase.number, cause, waiting_purchase.attempt_id, product_id, quantity,
    application_username, shown_milliunits, shown_currency, asked_ms, answer,
    device.id AS device_id, device.guid, device.app_id, app.bundle_id, app.app_number,
    device.app_version,
    app.storefront AS app_storefront,
    attempt.body_digest, attempt.state, attempt.transaction_id, attempt.refusal,
    missing_milliunits, missing_currency, waiting_purchase.promotional_offer_id,
    approved_milliunits, approved_currency, win_back_offer_id, is_introduction_allowed,
    test_purchased_ms, test_cancels
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
        try value(
            "SELECT count(*) FROM waiting_purchase WHERE account_id = ?1 AND answer IS NULL",
            [account]) ?? 0
    }

    /// The purchases after a number that wait for approval, oldest first.
    borrowing func requestsForApproval(
        after number: Int64, countMax: Int
    ) throws -> [WaitingPurchase] {
        try rows(
            """
            SELECT \(waitingColumns) FROM \(waitingTables)
            WHERE cause = 'approval' AND answer IS NULL AND waiting_purchase.number > ?1
            ORDER BY waiting_purchase.number LIMIT ?2
            """, [number, countMax]
        ).map { try WaitingPurchase($0) }
    }

    /// A request for approval, answered or not.
    borrowing func requestForApproval(_ number: Int64) throws -> WaitingPurchase? {
        try row(
            """
            SELECT \(waitingColumns) FROM \(waitingTables)
            WHERE waiting_purchase.number = ?1 AND cause = 'approval'
            """, [number]
        ).map { try WaitingPurchase($0) }
    }

    /// The purchase that waits, or waited, under a number.
    borrowing func waitingPurchase(_ number: Int64) throws -> WaitingPurchase? {
        try row(
            "SELECT \(waitingColumns) FROM \(waitingTables) WHERE waiting_purchase.number = ?1",
            [number]
        ).map { try WaitingPurchase($0) }
    }

    /// The purchases of an account that wait for an approval, the customer or a payment.
    borrowing func waitingPurchases(of account: AccountID) throws -> [WaitingPurchase] {
        try rows(
            """
            SELECT \(waitingColumns) FROM \(waitingTables)
            WHERE waiting_purchase.account_id = ?1 AND answer IS NULL
            ORDER BY waiting_purchase.number
            """, [account]
        ).map { try WaitingPurchase($0) }
    }

    /// The interrupted purchases of an account, oldest first.
    borrowing func interruptedPurchases(of account: AccountID) throws -> [WaitingPurchase] {
        try rows(
            """
            SELECT \(waitingColumns) FROM \(waitingTables)
            WHERE waiting_purchase.account_id = ?1 AND cause = 'interruption' AND answer IS NULL
            ORDER BY waiting_purchase.number
            """, [account]
        ).map { try WaitingPurchase($0) }
    }
}

extension WriteScope {
    /// Keeps an attempt's request until someone answers, with what was found of its offer; returns
    /// its number.
    borrowing func addWaitingPurchase(
        _ request: PurchaseRequest, of account: AccountID, on device: DeviceID, cause: WaitingCause,
        _ judged: JudgedOffer, now: Timestamp
    ) throws -> Int64 {
        let number = try next("waiting_purchase")
        try insert(
            into: "waiting_purchase",
            [
                "number": number, "device_id": device, "attempt_id": request.attempt,
                "account_id": account, "cause": cause, "product_id": request.product,
                "quantity": request.quantity, "application_username": request.applicationUsername,
                "shown_milliunits": request.shownPrice?.milliunits,
                "shown_currency": request.shownPrice?.currency.code, "asked_ms": now,
                "promotional_offer_id": request.offer?.promotionalID,
                "offer_nonce": judged.nonce?.text.text,
                "win_back_offer_id": request.offer?.winBackID,
                "is_introduction_allowed": judged.isIntroductionAllowed,
                "test_purchased_ms": request.test?.purchasedAt,
                "test_cancels": request.test?.cancelsAtOnce,
            ])
        return number
    }

    /// Notes the price at which a purchase was approved, before its provider is asked.
    borrowing func approve(_ waiting: WaitingPurchase, at price: Money) throws {
        try execute(
            """
            UPDATE waiting_purchase SET approved_milliunits = ?2, approved_currency = ?3
            WHERE number = ?1
            """, [waiting.number, price.milliunits, price.currency.code])
    }

    /// Refuses a waiting purchase and releases the nonce that it used up: the same signature may be
    /// tried again.
    borrowing func refuse(
        _ waiting: WaitingPurchase, as attempt: Attempt, now: Timestamp
    ) throws {
        try saveAttempt(attempt, of: waiting.session.device, now: now)
        try execute(
            """
            DELETE FROM offer_nonce WHERE app_id = ?2 AND nonce = (
                SELECT offer_nonce FROM waiting_purchase WHERE number = ?1)
            """, [waiting.number, waiting.session.app])
        // Another attempt may own it from now on.
        try execute(
            "UPDATE waiting_purchase SET offer_nonce = NULL WHERE number = ?1",
            [waiting.number])
    }

    /// Notes the answer to a purchase that waits.
    borrowing func answer(
        _ waiting: WaitingPurchase, _ answer: WaitingPurchase.Answer, now: Timestamp
    ) throws {
        try execute(
            """
            UPDATE waiting_purchase SET answer = ?2, answered_ms = ?3
            WHERE number = ?1 AND answer IS NULL
            """, [waiting.number, answer, now])
    }
}

extension WaitingPurchase {
    /// From `waitingColumns`.
    fileprivate init(_ row: Row) throws(DatabaseError) {
        let account = try Account(row)
        let attempt: AttemptID = try row["attempt_id"]
        let promotional: String? = try row["promotional_offer_id"]
        let winBack: String? = try row["win_back_offer_id"]
        let isIntroductionAllowed: Bool? = try row["is_introduction_allowed"]
        let purchasedAt: Timestamp? = try row["test_purchased_ms"]
        let cancelsAtOnce: Bool? = try row["test_cancels"]
        self.init(
            number: try row["number"], cause: try row["cause"],
            request: PurchaseRequest(
                attempt: attempt, product: try row["product_id"], quantity: try row["quantity"],
                applicationUsername: try row["application_username"],
                shownPrice: try row.moneyOrNil("shown_milliunits", "shown_currency"),
                offer: promotional.map { .promised($0) } ?? winBack.map { .winBackInApp($0) },
                introduction: isIntroductionAllowed.map { .decided(isAllowed: $0) },
                test: cancelsAtOnce.map {
                    TestPurchase(purchasedAt: purchasedAt, cancelsAtOnce: $0)
                }),
            session: DeviceSession(
                device: try row["device_id"], environment: account.environment,
                guid: try row["guid"], app: try row["app_id"], bundleID: try row["bundle_id"],
                appNumber: try row.appNumber(), appVersion: try row["app_version"],
                account: account,
                appStorefront: try row["app_storefront"], tokenDigest: []),
            account: account, askedAt: try row["asked_ms"], answer: try row["answer"],
            attempt: Attempt(
                id: attempt, account: account.id, bodyDigest: try row["body_digest"],
                state: try row["state"], transaction: try row["transaction_id"],
                refusal: try row["refusal"],
                missing: try row.moneyOrNil("missing_milliunits", "missing_currency")),
            approvedPrice: try row.moneyOrNil("approved_milliunits", "approved_currency"))
    }
}
