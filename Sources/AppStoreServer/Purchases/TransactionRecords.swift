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
    /// The missing amount, when that is why it was refused.
    var missing: Money?
    /// When the app finished its answer, when that was an earlier transaction.
    var finishedAt: Timestamp?

    /// Whether it changed a subscription's renewal and was answered with the running period, whose
    /// transaction is finished by itself.
    func isAnswered(with transaction: StoreTransaction) -> Bool {
        transaction.attempt != id
    }
}

/// A transaction with the guid of the device that made it.
struct DeliveredTransaction: Sendable {
    let transaction: StoreTransaction
    let deviceGuid: String
    /// The purchase that it restores, when it does.
    var original: StoreTransaction?
    /// The content to fetch before it is finished.
    var content: CurrentContent?
    /// Whether it, or the purchase that it restores, was taken back.
    var isTakenBack = false
    /// The attempt that it only answers: such an answer is finished by itself.
    var answered: Attempt?

    /// Whether it no longer needs to be delivered.
    var isOver: Bool {
        let finishedAt = answered.map(\.finishedAt) ?? transaction.finishedAt
        return finishedAt != nil || isTakenBack
    }
}

/// The columns that `StoreTransaction` is read from, in its order.
let transactionColumns = """
    store_transaction.id, original_id, store_transaction.environment, store_transaction.app_id,
    store_transaction.account_id, device_id, attempt_id, product_id, store_transaction.kind,
    quantity, purchased_ms, originally_purchased_ms, charged_milliunits, currency, storefront,
    application_username, finished_ms, restore_id, restored_id, subscription_group, expires_ms,
    is_renewal, offer_kind, offer_id, offer_mode, offer_period, upgraded_ms, shared_id,
    shared_original_id
    """

/// An account's first purchase of a lasting product; takes account, app and product.
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
                missing_currency, finished_ms FROM attempt
            WHERE device_id = ?1 AND attempt_id = ?2
            """, [.integer(device.rawValue), .text(id.rawValue)]
        ).map { row in
            Attempt(
                id: id, account: try row["account_id"], bodyDigest: try row["body_digest"],
                state: try row["state"],
                transaction: try row["transaction_id"],
                refusal: try row["refusal"],
                missing: try row.moneyOrNil("missing_milliunits", "missing_currency"),
                finishedAt: try row["finished_ms"])
        }
    }

    borrowing func transaction(_ id: TransactionID) throws -> StoreTransaction? {
        try row(
            "SELECT \(transactionColumns) FROM store_transaction WHERE id = ?1",
            [.integer(id.rawValue)]
        ).map { try StoreTransaction($0) }
    }

    /// The account's own first purchase of a product that is not a consumable and was not taken
    /// back.
    borrowing func firstPurchase(
        of product: ProductID, in app: AppID, by account: AccountID
    ) throws -> StoreTransaction? {
        try row(
            lastingPurchase,
            [.integer(account.rawValue), .integer(app.rawValue), .text(product.rawValue)]
        ).map { try StoreTransaction($0) }
    }

    /// A device's unfinished transactions, oldest first: all purchases, and those restored to this
    /// device. A transaction that was taken back no longer waits.
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
                transaction: transaction, deviceGuid: try $0["guid"]
            )
            .bringing(content[transaction.product])
        }
        return try withOriginals(found)
    }

    /// The transactions in the account's receipt for an app, oldest first.
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

    /// Stores the outcome of an open attempt.
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

    /// Marks an attempt's answer as finished; false when it was already.
    borrowing func finish(
        _ attempt: AttemptID, of device: DeviceID, at time: Timestamp
    ) throws -> Bool {
        try execute(
            """
            UPDATE attempt SET finished_ms = ?3
            WHERE device_id = ?1 AND attempt_id = ?2 AND finished_ms IS NULL
            """, [device, attempt, time]) == 1
    }

    borrowing func addTransaction(_ transaction: StoreTransaction) throws {
        try execute(
            """
            INSERT INTO store_transaction (id, original_id, environment, app_id, account_id,
                device_id, attempt_id, product_id, kind, quantity, purchased_ms,
                originally_purchased_ms, charged_milliunits, currency, storefront,
                application_username, finished_ms, restore_id, restored_id, subscription_group,
                expires_ms, is_renewal, offer_kind, offer_id, offer_mode, offer_period, shared_id,
                shared_original_id)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
                ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28)
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

    /// Notes that another product replaced a period, for its family, too.
    borrowing func markUpgraded(_ transaction: TransactionID, at time: Timestamp) throws {
        try changeWithCopies(of: transaction) {
            try $0.execute(
                "UPDATE store_transaction SET upgraded_ms = ?2 WHERE id = ?1",
                [.integer($1.rawValue), .integer(time.milliseconds)])
            if let replaced = try $0.reading.transaction($1) {
                try $0.record(.replaced, of: replaced, at: time)
            }
        }
    }

    /// Moves the end of a sold period, for its family, too, whose history tells of it; that of the
    /// buyer tells why it was moved.
    borrowing func setExpiry(
        _ expiry: Timestamp, of transaction: TransactionID, at time: Timestamp
    ) throws {
        try changeWithCopies(of: transaction) {
            try $0.execute(
                "UPDATE store_transaction SET expires_ms = ?2 WHERE id = ?1",
                [.integer($1.rawValue), .integer(expiry.milliseconds)])
            if $1 != transaction, let copy = try $0.reading.transaction($1) {
                try $0.record(.periodMoved, of: copy, at: time)
            }
        }
    }

    /// Sets the app's own name for the user of a transaction.
    borrowing func setApplicationUsername(
        _ name: String, of transaction: TransactionID
    ) throws {
        try execute(
            "UPDATE store_transaction SET application_username = ?2 WHERE id = ?1",
            [transaction, name])
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
        self.init(
            id: try row["id"], original: try row["original_id"],
            environment: try row["environment"], app: try row["app_id"],
            account: try row["account_id"], device: try row["device_id"],
            attempt: try row["attempt_id"], product: try row["product_id"],
            kind: try row["kind"], quantity: try row["quantity"],
            purchasedAt: try row["purchased_ms"],
            originallyPurchasedAt: try row["originally_purchased_ms"],
            charged: try row.money("charged_milliunits", "currency"),
            storefront: try row["storefront"], applicationUsername: try row["application_username"],
            finishedAt: try row["finished_ms"],
            restoration: Restoration(
                restore: try row["restore_id"], purchase: try row["restored_id"]),
            subscription: try SubscribedPeriod(row),
            share: try FamilyShare(row))
    }
}

/// The columns of a transaction that did not pay for a period.
private let noPeriod = [SQLValue](repeating: .null, count: 7)

extension FamilyShare {
    /// Nil for a transaction that no family member bought.
    fileprivate init?(_ row: Row) throws(DatabaseError) {
        guard let purchase: TransactionID = try row["shared_id"] else { return nil }
        self.init(purchase: purchase, original: try row["shared_original_id"])
    }
}

extension SubscribedPeriod {
    /// Nil for a transaction that did not pay for a period.
    fileprivate init?(_ row: Row) throws(DatabaseError) {
        guard let group: String = try row["subscription_group"] else { return nil }
        var offer: Offer?
        if let kind: SubscriptionOffer.Kind = try row["offer_kind"] {
            offer = Offer(
                kind: kind, id: try row["offer_id"], mode: try row["offer_mode"],
                duration: try row["offer_period"])
        }
        self.init(
            group: group, expiresAt: try row["expires_ms"], offer: offer,
            isRenewal: try row["is_renewal"], upgradedAt: try row["upgraded_ms"])
    }

    /// As a new transaction stores them.
    fileprivate var columns: [SQLValue] {
        [
            .text(group), .integer(expiresAt.milliseconds), .integer(isRenewal ? 1 : 0),
            .text(offer?.kind.rawValue), .text(offer?.id), .text(offer?.mode.rawValue),
            .text(offer?.duration?.iso8601),
        ]
    }
}
