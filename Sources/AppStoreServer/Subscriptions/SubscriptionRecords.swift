import StoreDatabase
import StoreModel

/// A subscription's state with the rest of what the store keeps of it.
struct SubscriptionRecord: Sendable {
    let environment: StoreEnvironment
    let app: AppID
    let account: AccountID
    let group: String
    /// When it was first bought.
    let boughtAt: Timestamp
    /// The transaction of its newest period.
    var newest: TransactionID
    /// The device on which it was last bought by hand; renewals are delivered as this device's.
    var device: DeviceID
    var applicationUsername: String?
    /// Whether its payments fail, because the world's owner wants them to.
    var failsBilling = false
    var state: Subscription
    /// The payment that it waits for before anything else happens to it; nil for none.
    var payment: PaymentID?

    var original: TransactionID { state.original }
}

/// A subscription with the names of its account and app.
struct NamedSubscription: Sendable {
    let kept: SubscriptionRecord
    let account: String
    let bundleID: String
}

/// A subscription that is due, with the data that settling it needs.
struct DueSubscription: Sendable {
    var kept: SubscriptionRecord
    let storefront: Storefront
    let gracePeriod: GracePeriod?
    /// How often the account's receipt had changed when this was read.
    let receiptChanges: Int64
    /// Whether the payments of the account's renewals fail, because the world's owner wants that.
    let failsRenewals: Bool
}

private let columns = """
    subscription.original_id, subscription.environment, subscription.app_id,
    subscription.account_id, subscription.subscription_group, subscription.newest_id,
    subscription.device_id, subscription.application_username, fails_billing, phase,
    expiration_reason, grace_until_ms, subscription.product_id, subscription.period, first_ms,
    started_ms, subscription.expires_ms, anchor_ms, anchor_months, price_milliunits,
    subscription.currency, is_auto_renewing, next_product_id, next_offer, subscription.offer_kind,
    subscription.offer_id, subscription.offer_mode, offer_milliunits, offer_periods_left,
    increase_milliunits, increase_consent, retry_ends_ms, retry_next_ms, renewal_count,
    payment_id, is_raised, increase_question, subscription.offer_period, run_started_ms
    """

private let namedOnes = """
    SELECT \(columns), account.name, app.bundle_id FROM subscription
    JOIN account ON account.id = subscription.account_id
    JOIN app ON app.id = subscription.app_id
    WHERE deleted_transaction_id IS NULL
    """

let dueSubscriptionRows = """
    SELECT \(columns), account.storefront, account.fails_renewals, app.grace_days,
        coalesce(revision, 0) AS revision
    FROM subscription
    JOIN account ON account.id = subscription.account_id
    JOIN app ON app.id = subscription.app_id
    LEFT JOIN receipt_revision ON receipt_revision.account_id = subscription.account_id
        AND receipt_revision.app_id = subscription.app_id
    WHERE due_ms <= ?1 AND payment_id IS NULL ORDER BY due_ms, original_id LIMIT ?2
    """

let anyIntroduction = """
    SELECT 1 FROM store_transaction
    WHERE account_id = ?1 AND app_id = ?2 AND kind <> 'consumable'
        AND subscription_group = ?3 AND offer_kind = 'introductory'
        AND restore_id IS NULL AND shared_id IS NULL LIMIT 1
    """

extension ReadScope {
    /// The account's subscription of a group; nil when it never had one.
    borrowing func subscription(
        of account: AccountID, in app: AppID, group: String
    ) throws -> SubscriptionRecord? {
        try row(
            """
            SELECT \(columns) FROM subscription
            WHERE account_id = ?1 AND app_id = ?2 AND subscription_group = ?3
            """, [.integer(account.rawValue), .integer(app.rawValue), .text(group)]
        ).map { try SubscriptionRecord($0) }
    }

    /// The subscription that began with a transaction.
    borrowing func subscription(_ original: TransactionID) throws -> SubscriptionRecord? {
        try row(
            "SELECT \(columns) FROM subscription WHERE original_id = ?1",
            [.integer(original.rawValue)]
        ).map { try SubscriptionRecord($0) }
    }

    /// All subscriptions of an account in an app, oldest first.
    borrowing func subscriptions(
        of account: AccountID, in app: AppID
    ) throws -> [SubscriptionRecord] {
        try rows(
            """
            SELECT \(columns) FROM subscription
            WHERE account_id = ?1 AND app_id = ?2 ORDER BY original_id
            """, [.integer(account.rawValue), .integer(app.rawValue)]
        ).map { try SubscriptionRecord($0) }
    }

    /// All subscriptions of an account, oldest first.
    borrowing func subscriptions(of account: AccountID) throws -> [SubscriptionRecord] {
        try rows(
            "SELECT \(columns) FROM subscription WHERE account_id = ?1 ORDER BY original_id",
            [account]
        ).map { try SubscriptionRecord($0) }
    }

    /// An account's subscriptions whose payment failed and is being retried, except where the
    /// world's owner wants it to fail.
    borrowing func unpaidSubscriptions(of account: AccountID) throws -> [SubscriptionRecord] {
        try rows(
            """
            SELECT \(columns) FROM subscription
            WHERE account_id = ?1 AND retry_next_ms IS NOT NULL AND fails_billing = 0
                AND payment_id IS NULL
            ORDER BY original_id
            """, [.integer(account.rawValue)]
        ).map { try SubscriptionRecord($0) }
    }

    /// An account's subscriptions in all apps that are due by a moment and do not wait for a
    /// payment.
    borrowing func subscriptions(
        of account: AccountID, dueBy moment: Timestamp
    ) throws -> [TransactionID] {
        try rows(
            """
            SELECT original_id FROM subscription
            WHERE account_id = ?1 AND due_ms <= ?2 AND payment_id IS NULL
            ORDER BY due_ms, original_id
            """, [.integer(account.rawValue), .integer(moment.milliseconds)]
        ).map { try $0["original_id"] }
    }

    /// The subscriptions of the world, or of one account, after one of them, in the order of their
    /// numbers.
    borrowing func namedSubscriptions(
        of account: AccountID? = nil, after position: Int64, countMax: Int
    ) throws -> [NamedSubscription] {
        let own = account == nil ? "" : "AND subscription.account_id = ?3"
        return try rows(
            "\(namedOnes) \(own) AND original_id > ?1 ORDER BY original_id LIMIT ?2",
            [position, countMax] + (account.map { [$0] } ?? [])
        ).map { try NamedSubscription($0) }
    }

    borrowing func namedSubscription(_ original: TransactionID) throws -> NamedSubscription? {
        try row("\(namedOnes) AND original_id = ?1", [.integer(original.rawValue)])
            .map { try NamedSubscription($0) }
    }

    /// The subscriptions due up to a moment, except some, the longest due first. Throws a
    /// `DueTrouble` for one that cannot be read.
    borrowing func dueSubscriptions(
        until moment: Timestamp, except left: Set<TransactionID> = [], countMax: Int
    ) throws -> [DueSubscription] {
        let found = try rows(
            dueSubscriptionRows,
            [.integer(moment.milliseconds), .integer(Int64(countMax + left.count))])
        return try found.filter { !left.contains(try $0["original_id"]) }.prefix(countMax)
            .map { row in
                do {
                    return try DueSubscription(row)
                } catch {
                    throw DueTrouble.of(try row["original_id"], error)
                }
            }
    }

    /// A subscription with the data that settling it needs.
    borrowing func settling(_ kept: SubscriptionRecord) throws -> DueSubscription {
        guard
            let row = try row(
                """
                SELECT account.storefront, fails_renewals, app.grace_days,
                    coalesce(revision, 0) AS revision
                FROM account JOIN app ON app.id = ?2
                LEFT JOIN receipt_revision ON account_id = account.id AND app_id = app.id
                WHERE account.id = ?1
                """, [.integer(kept.account.rawValue), .integer(kept.app.rawValue)])
        else {
            throw DatabaseError(
                code: .notADatabase, detail: "the subscription's account or app is missing")
        }
        return try DueSubscription(kept: kept, row)
    }

    /// When the next subscription is due, except some; nil when none is ever due.
    borrowing func nextDue(except left: Set<TransactionID> = []) throws -> Timestamp? {
        try rows(
            """
            SELECT original_id, due_ms FROM subscription
            WHERE due_ms IS NOT NULL AND payment_id IS NULL
            ORDER BY due_ms, original_id LIMIT ?1
            """, [left.count + 1]
        ).first { !left.contains(try $0["original_id"]) }
            .map { try $0["due_ms"] }
    }

    /// When the longest due subscription that waits for its payment was due.
    borrowing func firstAwaitingPayment() throws -> Timestamp? {
        try value(
            "SELECT min(due_ms) FROM subscription WHERE payment_id IS NOT NULL AND due_ms IS NOT NULL"
        )
    }

    /// How many are due up to a moment.
    borrowing func dueCount(until moment: Timestamp) throws -> Int64 {
        try value(
            "SELECT count(*) FROM subscription WHERE due_ms <= ?1 AND payment_id IS NULL",
            [moment]) ?? 0
    }

    /// The subscriptions still due up to a moment after everything that can be settled was: how
    /// many, and the first.
    borrowing func leftOut(until moment: Timestamp, namedMax: Int) throws -> LeftOut {
        let count = try dueCount(until: moment)
        guard count > 0 else { return LeftOut() }
        let first: [TransactionID] = try values(
            """
            SELECT original_id FROM subscription WHERE due_ms <= ?1 AND payment_id IS NULL
            ORDER BY due_ms, original_id LIMIT ?2
            """, [moment, namedMax])
        return LeftOut(count: count, first: first)
    }

    borrowing func pace(of environment: StoreEnvironment) throws -> RenewalPace {
        guard
            let row = try row(
                "SELECT pace FROM environment WHERE kind = ?1", [.text(environment.rawValue)])
        else { throw DatabaseError(code: .other, detail: "the world has no \(environment)") }
        return try row["pace"]
    }

    /// Whether the account bought a period of the group with an introductory offer.
    borrowing func hadIntroduction(
        _ account: AccountID, in app: AppID, group: String
    ) throws -> Bool {
        try row(
            anyIntroduction, [.integer(account.rawValue), .integer(app.rawValue), .text(group)])
            != nil
    }
}

extension WriteScope {
    /// Stores a subscription as it is now.
    borrowing func save(_ kept: SubscriptionRecord) throws {
        try execute(
            """
            INSERT INTO subscription (original_id, environment, app_id, account_id,
                subscription_group, first_ms, newest_id, device_id, application_username,
                fails_billing, phase, expiration_reason, grace_until_ms, product_id, period,
                started_ms, expires_ms, anchor_ms, anchor_months, price_milliunits, currency,
                is_auto_renewing, next_product_id, next_offer, offer_kind, offer_id, offer_mode,
                offer_milliunits, offer_periods_left, increase_milliunits, increase_consent,
                retry_ends_ms, retry_next_ms, renewal_count, due_ms, payment_id, is_raised,
                increase_question, offer_period, run_started_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
                ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33,
                ?34, ?35, ?36, ?37, ?38, ?39, ?40)
            ON CONFLICT (original_id) DO UPDATE SET newest_id = ?7, device_id = ?8,
                application_username = ?9, fails_billing = ?10, phase = ?11,
                expiration_reason = ?12, grace_until_ms = ?13, product_id = ?14, period = ?15,
                started_ms = ?16, expires_ms = ?17, anchor_ms = ?18, anchor_months = ?19,
                price_milliunits = ?20, currency = ?21, is_auto_renewing = ?22,
                next_product_id = ?23, next_offer = ?24, offer_kind = ?25, offer_id = ?26,
                offer_mode = ?27, offer_milliunits = ?28, offer_periods_left = ?29,
                increase_milliunits = ?30, increase_consent = ?31, retry_ends_ms = ?32,
                retry_next_ms = ?33, renewal_count = ?34, due_ms = ?35, payment_id = ?36,
                is_raised = ?37, increase_question = ?38, offer_period = ?39,
                run_started_ms = ?40
            """, kept.identity + (try kept.state.columns(kept)))
    }

    /// Leaves a subscription that waited for a payment due without it.
    borrowing func stopWaiting(for payment: PaymentID) throws {
        try execute(
            "UPDATE subscription SET payment_id = NULL WHERE payment_id = ?1",
            [.text(payment.rawValue)])
    }

    borrowing func setPace(_ pace: RenewalPace, of environment: StoreEnvironment) throws {
        try execute(
            "UPDATE environment SET pace = ?2 WHERE kind = ?1",
            [.text(environment.rawValue), .text(pace.rawValue)])
    }

    /// Stores the changes of a subscription that is already stored; unlike `save`, without a check
    /// for conflicts.
    borrowing func update(_ kept: SubscriptionRecord) throws {
        try execute(
            """
            UPDATE subscription SET newest_id = ?2, device_id = ?3, application_username = ?4,
                fails_billing = ?5, phase = ?6, expiration_reason = ?7, grace_until_ms = ?8,
                product_id = ?9, period = ?10, started_ms = ?11, expires_ms = ?12, anchor_ms = ?13,
                anchor_months = ?14, price_milliunits = ?15, currency = ?16,
                is_auto_renewing = ?17, next_product_id = ?18, next_offer = ?19,
                offer_kind = ?20, offer_id = ?21, offer_mode = ?22, offer_milliunits = ?23,
                offer_periods_left = ?24, increase_milliunits = ?25, increase_consent = ?26,
                retry_ends_ms = ?27, retry_next_ms = ?28, renewal_count = ?29, due_ms = ?30,
                payment_id = ?31, is_raised = ?32, increase_question = ?33, offer_period = ?34,
                run_started_ms = ?35
            WHERE original_id = ?1
            """, [.integer(kept.original.rawValue)] + (try kept.state.columns(kept)))
    }

    /// Sets an app's grace period; nil for none.
    borrowing func setGracePeriod(_ period: GracePeriod?, of app: AppID) throws {
        try execute(
            "UPDATE app SET grace_days = ?2 WHERE id = ?1",
            [.integer(app.rawValue), .integer(period.map { Int64($0.rawValue) })])
    }

    /// Notes the part of a charge that is refunded because another product replaced the period.
    borrowing func addUpgradeRefund(
        _ amount: Money, of transaction: TransactionID, at time: Timestamp
    ) throws {
        guard amount.milliunits > 0 else { return }
        try execute(
            """
            INSERT INTO refund (number, transaction_id, cause, milliunits, currency, at_ms)
            VALUES (?1, ?2, 'upgrade', ?3, ?4, ?5)
            """,
            [
                .integer(try next("refund")), .integer(transaction.rawValue),
                .integer(amount.milliunits), .text(amount.currency.code),
                .integer(time.milliseconds),
            ])
    }
}

extension NamedSubscription {
    /// From the columns of a subscription, account.name and app.bundle_id.
    fileprivate init(_ row: Row) throws {
        self.init(
            kept: try SubscriptionRecord(row), account: try row["name"],
            bundleID: try row["bundle_id"])
    }
}

extension DueSubscription {
    /// From the columns of a subscription, account.storefront, account.fails_renewals,
    /// app.grace_days and the revision.
    fileprivate init(_ row: Row) throws {
        try self.init(kept: try SubscriptionRecord(row), row)
    }

    fileprivate init(kept: SubscriptionRecord, _ row: Row) throws {
        self.init(
            kept: kept, storefront: try row["storefront"], gracePeriod: try row["grace_days"],
            receiptChanges: try row["revision"], failsRenewals: try row["fails_renewals"])
    }
}

extension GracePeriod {
    init(stored days: Int64) throws(DatabaseError) {
        guard let period = Self(rawValue: Int(days)) else {
            throw DatabaseError(code: .notADatabase, detail: "\(days) days are not a grace period")
        }
        self = period
    }
}

extension SubscriptionRecord {
    /// From `columns`.
    fileprivate init(_ row: Row) throws {
        self.init(
            environment: try row["environment"], app: try row["app_id"],
            account: try row["account_id"], group: try row["subscription_group"],
            boughtAt: try row["first_ms"],
            newest: try row["newest_id"], device: try row["device_id"],
            applicationUsername: try row["application_username"],
            failsBilling: try row["fails_billing"],
            state: try Subscription(row), payment: try row["payment_id"])
    }

    /// The columns that never change, in the order in which they are stored.
    fileprivate var identity: [SQLValue] {
        [
            .integer(original.rawValue), .text(environment.rawValue), .integer(app.rawValue),
            .integer(account.rawValue), .text(group), .integer(boughtAt.milliseconds),
        ]
    }
}
