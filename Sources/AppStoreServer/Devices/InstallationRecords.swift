import StoreDatabase
import StoreModel
import StoreWire

/// How the devices of a page are found.
enum DeviceSource: CaseIterable, Sendable {
    /// Along the numbers, with the filters looked at for each.
    case walk
    /// By the devices on which the account has signed in.
    case account

    private var place: String {
        switch self {
        case .walk: "device.id > ?1 AND device.id < ?2"
        case .account:
            """
            device.id IN (SELECT device_id FROM device_account WHERE account_id = ?3
                AND device_id > ?1 AND device_id < ?2)
            """
        }
    }

    /// Selects the devices of a page; takes a span, the filters and a count.
    func page(_ order: ListOrder) -> String {
        """
        \(deviceRows) WHERE \(place) AND (?4 IS NULL OR device.app_id = ?4)
            AND (?5 IS NULL OR device.environment = ?5)
        ORDER BY device.id \(order.sql) LIMIT ?6
        """
    }
}

private let deviceRows = """
    SELECT device.id, device.guid, device.environment, app.bundle_id, device.app_version,
        device.created_ms, device.locked_until_real_ms
    FROM device CROSS JOIN app ON app.id = device.app_id
    """

/// Names the accounts that are signed in on a device; takes it and the real time.
let accountsSignedIn = """
    SELECT DISTINCT account.name FROM device_token
    CROSS JOIN account ON account.id = device_token.account_id
    WHERE device_token.device_id = ?1 AND expires_real_ms > ?2 ORDER BY account.name
    """

/// Selects a device's attempts after one, the newest first; takes both and a count.
let attemptRows = """
    SELECT attempt.attempt_id, account.name, attempt.state, attempt.transaction_id,
        coalesce(sold.product_id, waiting_purchase.product_id) AS product_id, refusal,
        missing_milliunits, missing_currency, attempt.created_ms, attempt.changed_ms
    FROM attempt CROSS JOIN account ON account.id = attempt.account_id
    LEFT JOIN store_transaction AS sold ON sold.id = attempt.transaction_id
    LEFT JOIN waiting_purchase ON waiting_purchase.device_id = attempt.device_id
        AND waiting_purchase.attempt_id = attempt.attempt_id
    WHERE attempt.device_id = ?1
        AND (?2 IS NULL OR (attempt.created_ms, attempt.attempt_id) < (
            SELECT created_ms, attempt_id FROM attempt AS known
            WHERE known.device_id = ?1 AND known.attempt_id = ?2))
    ORDER BY attempt.created_ms DESC, attempt.attempt_id DESC LIMIT ?3
    """

extension ReadScope {
    /// The devices after a place in an order; and, if the filters may fit others behind it, the
    /// number up to which was looked.
    borrowing func devices(
        _ filter: OwnerFilter, after place: Int64?, _ order: ListOrder, countMax: Int,
        lookingAt lookedAtMax: Int = Limits.rowsLookedAtMax, realNow: Timestamp
    ) throws -> (devices: [DeviceBody], end: Int64?) {
        let source: DeviceSource = filter.account == nil ? .walk : .account
        var span = NumberSpan(after: place, in: order, of: 1...Int64.max)
        var end: Int64?
        if source == .walk {
            end = try walkEnd(over: .devices, span, order, lookingAt: lookedAtMax)
            if let end { span = span.ending(with: end, in: order) }
        }
        let found = try rows(
            source.page(order),
            [
                span.above, span.below, filter.account, filter.app, filter.environment, countMax,
            ])
        return (try found.map { try device($0, realNow: realNow) }, end)
    }

    borrowing func device(_ id: DeviceID, realNow: Timestamp) throws -> DeviceBody? {
        try row("\(deviceRows) WHERE device.id = ?1", [id])
            .map { try device($0, realNow: realNow) }
    }

    private borrowing func device(_ row: Row, realNow: Timestamp) throws -> DeviceBody {
        let id: DeviceID = try row["id"]
        let lock: Timestamp? = try row["locked_until_real_ms"]
        return DeviceBody(
            deviceId: id.rawValue, guid: try row["guid"], environment: try row["environment"],
            bundleId: try row["bundle_id"], appVersion: try row["app_version"],
            registeredAt: try row["created_ms"],
            lockedUntil: lock.flatMap { $0 > realNow ? $0 : nil },
            accounts: try values(accountsSignedIn, [id, realNow]))
    }

    /// The attempts of a device after one of them, the newest first.
    borrowing func attempts(
        of device: DeviceID, after last: AttemptID?, countMax: Int
    ) throws -> [DeviceAttemptBody] {
        try rows(attemptRows, [device, last, countMax]).map { row in
            let transaction: TransactionID? = try row["transaction_id"]
            return DeviceAttemptBody(
                attemptId: try row["attempt_id"], account: try row["name"],
                state: try row["state"], productId: try row["product_id"],
                transactionId: transaction.map { "\($0)" }, refusal: try row["refusal"],
                missing: try row.moneyOrNil("missing_milliunits", "missing_currency"),
                triedAt: try row["created_ms"], changedAt: try row["changed_ms"])
        }
    }
}
