import StoreDatabase
import StoreModel
import StoreRules

/// A stored attempt.
struct Attempt: Sendable {
    let id: AttemptID
    let account: AccountID
    let bodyDigest: [UInt8]
    let state: AttemptState
    let transaction: TransactionID?
    let refusal: RefusalCode?
    /// What the account lacked, when that is why it was refused.
    var missing: Money?
}

/// A transaction with the guid of the device that made it.
struct DeliveredTransaction: Sendable {
    let transaction: StoreTransaction
    let deviceGuid: String
    /// What it gives back, when it does.
    var original: StoreTransaction?
    /// What waits to be fetched before it is finished.
    var content: CurrentContent?
    /// Whether it was taken back, or what it gives back was.
    var isTakenBack = false

    /// Whether nobody need deliver it any more.
    var isOver: Bool { transaction.finishedAt != nil || isTakenBack }
}

/// What `StoreTransaction` is read from, in its order.
let transactionColumns = """
    store_transaction.id, original_id, store_transaction.environment, store_transaction.app_id,
    store_transaction.account_id, device_id, attempt_id, product_id, store_transaction.kind,
    quantity, purchased_ms, originally_purchased_ms, charged_milliunits, currency, storefront,
    application_username, finished_ms, restore_id, restored_id, subscription_group, expires_ms,
    is_renewal, offer_kind, offer_id, offer_mode, upgraded_ms, shared_id, shared_original_id
    """

/// How many those are: the first column after them.
let transactionColumnCount = 28

/// An account's first purchase of a product that it keeps; account, app and product go in.
let lastingPurchase = """
    SELECT \(transactionColumns) FROM store_transaction
    WHERE account_id = ?1 AND app_id = ?2 AND product_id = ?3 AND kind <> 'consumable'
        AND restore_id IS NULL AND shared_id IS NULL
        AND NOT EXISTS (SELECT 1 FROM revocation WHERE transaction_id = store_transaction.id)
    ORDER BY id LIMIT 1
    """

private let shownPurchases =
    ReceiptPart.allCases.map { "SELECT \(transactionColumns) \($0.source)" }
    .joined(separator: " UNION ALL ") + " ORDER BY 1"

extension ReadScope {
    borrowing func attempt(_ id: AttemptID, of device: DeviceID) throws -> Attempt? {
        try row(
            """
            SELECT account_id, body_digest, state, transaction_id, refusal, missing_milliunits,
                missing_currency FROM attempt
            WHERE device_id = ?1 AND attempt_id = ?2
            """, [.integer(device.rawValue), .text(id.rawValue)]
        ).map { row in
            Attempt(
                id: id, account: AccountID(row.integer(0)), bodyDigest: row.blob(1),
                state: try AttemptState(stored: row.text(2)),
                transaction: row.integerOrNil(3).map { TransactionID($0) },
                refusal: try row.textOrNil(4).map { try RefusalCode(stored: $0) },
                missing: try row.integerOrNil(5).map { _ in try Money(stored: row, from: 5) })
        }
    }

    borrowing func transaction(_ id: TransactionID) throws -> StoreTransaction? {
        try row(
            "SELECT \(transactionColumns) FROM store_transaction WHERE id = ?1",
            [.integer(id.rawValue)]
        ).map { try StoreTransaction($0) }
    }

    /// The account's own first purchase of a product that is no consumable and was not taken back.
    borrowing func firstPurchase(
        of product: ProductID, in app: AppID, by account: AccountID
    ) throws -> StoreTransaction? {
        try row(
            lastingPurchase,
            [.integer(account.rawValue), .integer(app.rawValue), .text(product.rawValue)]
        ).map { try StoreTransaction($0) }
    }

    /// What waits to be finished on a device, oldest first: all purchases, and what was given back
    /// to this device. What was taken back waits no more.
    borrowing func unfinished(
        of account: AccountID, in app: AppID, on device: DeviceID
    ) throws -> [DeliveredTransaction] {
        let content = try currentContent(of: app)
        let found = try rows(
            """
            SELECT \(transactionColumns), device.guid FROM store_transaction
            JOIN device ON device.id = store_transaction.device_id
            WHERE store_transaction.account_id = ?1 AND store_transaction.app_id = ?2
                AND finished_ms IS NULL AND (restore_id IS NULL OR device_id = ?3)
                AND \(isNotTakenBack)
            ORDER BY store_transaction.id
            """,
            [
                .integer(account.rawValue), .integer(app.rawValue), .integer(device.rawValue),
            ]
        ).map {
            let transaction = try StoreTransaction($0)
            return DeliveredTransaction(
                transaction: transaction, deviceGuid: $0.text(transactionColumnCount)
            )
            .bringing(content[transaction.product])
        }
        return try withOriginals(found)
    }

    /// What the account's receipt for an app shows, oldest first.
    borrowing func receiptTransactions(of account: AccountID, in app: AppID) throws
        -> [StoreTransaction]
    {
        try rows(shownPurchases, [.integer(account.rawValue), .integer(app.rawValue)])
            .map { try StoreTransaction($0) }
    }
}

extension WriteScope {
    borrowing func addAttempt(_ attempt: Attempt, of device: DeviceID, now: Timestamp) throws {
        try execute(
            """
            INSERT INTO attempt (device_id, attempt_id, account_id, body_digest, state,
                transaction_id, refusal, created_ms, changed_ms, missing_milliunits,
                missing_currency)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9, ?10)
            """,
            [
                .integer(device.rawValue), .text(attempt.id.rawValue),
                .integer(attempt.account.rawValue), .blob(attempt.bodyDigest),
                .text(attempt.state.rawValue), .integer(attempt.transaction?.rawValue),
                .text(attempt.refusal?.rawValue), .integer(now.milliseconds),
                .integer(attempt.missing?.milliunits), .text(attempt.missing?.currency.code),
            ])
    }

    /// Notes what became of an attempt that was open.
    borrowing func saveAttempt(_ attempt: Attempt, of device: DeviceID, now: Timestamp) throws {
        try execute(
            """
            UPDATE attempt SET state = ?3, transaction_id = ?4, refusal = ?5, changed_ms = ?6,
                missing_milliunits = ?7, missing_currency = ?8
            WHERE device_id = ?1 AND attempt_id = ?2
            """,
            [
                .integer(device.rawValue), .text(attempt.id.rawValue),
                .text(attempt.state.rawValue), .integer(attempt.transaction?.rawValue),
                .text(attempt.refusal?.rawValue), .integer(now.milliseconds),
                .integer(attempt.missing?.milliunits), .text(attempt.missing?.currency.code),
            ])
    }

    borrowing func addTransaction(_ transaction: StoreTransaction) throws {
        try execute(
            """
            INSERT INTO store_transaction (id, original_id, environment, app_id, account_id,
                device_id, attempt_id, product_id, kind, quantity, purchased_ms,
                originally_purchased_ms, charged_milliunits, currency, storefront,
                application_username, finished_ms, restore_id, restored_id, subscription_group,
                expires_ms, is_renewal, offer_kind, offer_id, offer_mode, shared_id,
                shared_original_id)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
                ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27)
            """,
            [
                .integer(transaction.id.rawValue), .integer(transaction.original.rawValue),
                .text(transaction.environment.rawValue), .integer(transaction.app.rawValue),
                .integer(transaction.account.rawValue), .integer(transaction.device.rawValue),
                .text(transaction.attempt.rawValue), .text(transaction.product.rawValue),
                .text(transaction.kind.rawValue), .integer(Int64(transaction.quantity)),
                .integer(transaction.purchasedAt.milliseconds),
                .integer(transaction.originallyPurchasedAt.milliseconds),
                .integer(transaction.charged.milliunits),
                .text(transaction.charged.currency.code), .text(transaction.storefront),
                .text(transaction.applicationUsername),
                .integer(transaction.finishedAt?.milliseconds),
                .text(transaction.restoration?.restore.rawValue),
                .integer(transaction.restoration?.purchase.rawValue),
            ] + (transaction.subscription?.columns ?? noPeriod) + [
                .integer(transaction.share?.purchase.rawValue),
                .integer(transaction.share?.original.rawValue),
            ])
    }

    /// Notes that another product took the place of a period, for its family as well.
    borrowing func markUpgraded(_ transaction: TransactionID, at time: Timestamp) throws {
        try changeWithCopies(of: transaction) {
            try $0.execute(
                "UPDATE store_transaction SET upgraded_ms = ?2 WHERE id = ?1",
                [.integer($1.rawValue), .integer(time.milliseconds)])
        }
    }

    /// Marks a transaction as finished; false when it was already.
    borrowing func finish(_ transaction: TransactionID, at time: Timestamp) throws -> Bool {
        try execute(
            "UPDATE store_transaction SET finished_ms = ?2 WHERE id = ?1 AND finished_ms IS NULL",
            [.integer(transaction.rawValue), .integer(time.milliseconds)]) == 1
    }
}

extension StoreTransaction {
    /// From `transactionColumns`.
    init(_ row: Row) throws(DatabaseError) {
        guard let currency = Currency(code: row.text(13)) else {
            throw DatabaseError(code: .notADatabase, detail: "\"\(row.text(13))\" is no currency")
        }
        self.init(
            id: TransactionID(row.integer(0)), original: TransactionID(row.integer(1)),
            environment: try StoreEnvironment(stored: row.text(2)), app: AppID(row.integer(3)),
            account: AccountID(row.integer(4)), device: DeviceID(row.integer(5)),
            attempt: AttemptID(row.text(6)), product: ProductID(row.text(7)),
            kind: try ProductKind(stored: row.text(8)), quantity: Int(row.integer(9)),
            purchasedAt: Timestamp(milliseconds: row.integer(10)),
            originallyPurchasedAt: Timestamp(milliseconds: row.integer(11)),
            charged: Money(milliunits: row.integer(12), currency: currency),
            storefront: row.text(14), applicationUsername: row.textOrNil(15),
            finishedAt: row.integerOrNil(16).map { Timestamp(milliseconds: $0) },
            restoration: Restoration(restore: row.textOrNil(17), purchase: row.integerOrNil(18)),
            subscription: try SubscribedPeriod(row, from: 19),
            share: row.integerOrNil(26).map {
                FamilyShare(
                    purchase: TransactionID($0), original: TransactionID(row.integer(27)))
            })
    }
}

/// The columns of a transaction that paid for no period.
private let noPeriod = [SQLValue](repeating: .null, count: 6)

extension SubscribedPeriod {
    /// From subscription_group and what follows it in `transactionColumns`; nil when that is null.
    fileprivate init?(_ row: Row, from column: Int) throws(DatabaseError) {
        guard let group = row.textOrNil(column) else { return nil }
        let offer: Offer? =
            if let kind = row.textOrNil(column + 3) {
                Offer(
                    kind: try SubscriptionOffer.Kind(stored: kind), id: row.textOrNil(column + 4),
                    mode: try SubscriptionOffer.PaymentMode(stored: row.text(column + 5)))
            } else {
                nil
            }
        self.init(
            group: group, expiresAt: Timestamp(milliseconds: row.integer(column + 1)),
            offer: offer, isRenewal: row.integer(column + 2) != 0,
            upgradedAt: row.integerOrNil(column + 6).map { Timestamp(milliseconds: $0) })
    }

    /// As a new transaction stores them.
    fileprivate var columns: [SQLValue] {
        [
            .text(group), .integer(expiresAt.milliseconds), .integer(isRenewal ? 1 : 0),
            .text(offer?.kind.rawValue), .text(offer?.id), .text(offer?.mode.rawValue),
        ]
    }
}
