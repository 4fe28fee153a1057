import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreWire

/// Everything that a world holds about an account, as its customer may ask for it.
///
/// Passwords, tokens and what else only proves who somebody is stay inside. Each query goes along an
/// index, and the database writes the JSON itself.
package enum AccountExport {
    struct Part: Sendable {
        let name: String
        /// The tables that it reads, of those that belong to accounts.
        let tables: Set<String>
        /// Gives one JSON object per row; `?1` is the account.
        let sql: String
    }

    /// The most rows of an export.
    static let rowsMax = 200_000
    /// The most bytes of an export.
    package static let bytesMax = 64 << 20

    /// The account's devices come first, since some tables are found through them.
    static let parts = people + purchases + money + rest

    private static let people = [
        Part(
            name: "account", tables: ["account"],
            sql: """
                SELECT json_object('number', id, 'environment', environment, 'name', name,
                    'storefront', storefront, 'createdAt', created_ms, 'deletedAt', deleted_ms,
                    'needsApproval', needs_approval, 'interruptsPurchases', interrupts_purchases,
                    'failsRenewals', fails_renewals, 'wrongPasswords', failures, 'lockReason', lock_reason,
                    'lockedUntil', coalesce(lock_until_real_ms, locked_until_real_ms))
                FROM account WHERE id = ?1
                """),
        Part(
            name: "family", tables: ["family_member"],
            sql: """
                SELECT json_object('family', family_number, 'isOrganiser', is_organiser,
                    'sharesPurchases', shares_purchases, 'joinedAt', joined_ms)
                FROM family_member WHERE account_id = ?1
                """),
        Part(
            name: "devices", tables: ["device_account", "device_receipt"],
            sql: """
                SELECT json_object('device', device.id, 'identifier', guid, 'app', bundle_id,
                    'appVersion', device.app_version, 'registeredAt', device.created_ms,
                    'receiptMadeAt', device_receipt.created_ms)
                FROM device_account AS own JOIN device ON device.id = own.device_id
                JOIN app ON app.id = device.app_id
                LEFT JOIN device_receipt ON device_receipt.device_id = own.device_id
                    AND device_receipt.account_id = own.account_id
                WHERE own.account_id = ?1 ORDER BY own.device_id
                """),
        Part(
            name: "sessions", tables: ["device_token"],
            sql: """
                SELECT json_object('device', device_id, 'expiresAt', expires_real_ms)
                FROM device_token WHERE account_id = ?1
                """),
        Part(
            name: "apps", tables: ["app_transaction"],
            sql: """
                SELECT json_object('app', bundle_id, 'gotAt', purchased_ms,
                    'appVersion', app_transaction.app_version, 'platform', platform,
                    'isVolumePurchase', is_volume)
                FROM app_transaction JOIN app ON app.id = app_id WHERE account_id = ?1
                """),
    ]

    /// Each transaction has an event, except restored ones that the app has not finished.
    private static let transactions = """
        SELECT transaction_id FROM event WHERE account_id = ?1 AND transaction_id IS NOT NULL
        """

    private static let purchases = [
        Part(
            name: "transactions", tables: ["store_transaction"],
            sql: """
                SELECT json_object('transaction', store_transaction.id, 'original', original_id,
                    'app', bundle_id, 'product', product_id, 'kind', kind, 'quantity', quantity,
                    'purchasedAt', purchased_ms, 'expiresAt', expires_ms,
                    'milliunits', charged_milliunits, 'currency', currency,
                    'storefront', store_transaction.storefront, 'device', device_id,
                    'applicationUsername', application_username, 'finishedAt', finished_ms,
                    'offer', offer_id, 'sharedBy', shared_id, 'restores', restored_id)
                FROM store_transaction JOIN app ON app.id = app_id
                WHERE account_id = ?1 AND store_transaction.id IN (
                    \(transactions)
                    UNION SELECT id FROM store_transaction
                    WHERE account_id = ?1 AND app_id IN (SELECT id FROM app)
                        AND finished_ms IS NULL)
                """),
        Part(
            name: "attempts", tables: ["attempt"],
            sql: """
                SELECT json_object('device', attempt.device_id, 'attempt', attempt_id,
                    'state', state, 'transaction', transaction_id, 'refusal', refusal,
                    'askedAt', created_ms, 'changedAt', changed_ms)
                FROM device_account AS own CROSS JOIN attempt ON attempt.device_id = own.device_id
                WHERE own.account_id = ?1 AND attempt.account_id = ?1
                """),
        Part(
            name: "waitingPurchases", tables: ["waiting_purchase"],
            sql: """
                SELECT json_object('number', number, 'device', waiting.device_id,
                    'cause', cause, 'product', product_id, 'quantity', quantity,
                    'applicationUsername', application_username, 'askedAt', asked_ms,
                    'answer', answer, 'answeredAt', answered_ms)
                FROM device_account AS own
                CROSS JOIN waiting_purchase AS waiting ON waiting.device_id = own.device_id
                WHERE own.account_id = ?1 AND waiting.account_id = ?1
                """),
        Part(
            name: "restores", tables: ["restore"],
            sql: """
                SELECT json_object('device', restore.device_id, 'restore', restore_id,
                    'applicationUsername', application_username)
                FROM device_account AS own CROSS JOIN restore ON restore.device_id = own.device_id
                WHERE own.account_id = ?1 AND restore.account_id = ?1
                """),
        Part(
            name: "subscriptions", tables: ["subscription"],
            sql: """
                SELECT json_object('original', original_id, 'app', bundle_id,
                    'group', subscription_group, 'product', product_id, 'phase', phase,
                    'startedAt', started_ms, 'expiresAt', expires_ms, 'renews', is_auto_renewing,
                    'milliunits', price_milliunits, 'currency', currency,
                    'applicationUsername', application_username)
                FROM subscription JOIN app ON app.id = app_id WHERE account_id = ?1
                """),
        Part(
            name: "priceConsents", tables: ["price_consent"],
            sql: """
                SELECT json_object('number', number, 'app', bundle_id, 'product', product_id,
                    'oldMilliunits', old_milliunits, 'milliunits', new_milliunits,
                    'currency', currency, 'askedAt', asked_ms, 'answer', answer,
                    'answeredAt', answered_ms, 'withdrawnAt', withdrawn_ms)
                FROM price_consent JOIN app ON app.id = app_id WHERE account_id = ?1
                """),
        Part(
            name: "offerCodes", tables: ["offer_redemption"],
            sql: """
                SELECT json_object('code', code_number, 'transaction', transaction_id,
                    'redeemedAt', at_ms)
                FROM offer_redemption WHERE account_id = ?1
                """),
        Part(
            name: "refundRequests", tables: ["refund_request"],
            sql: """
                SELECT json_object('transaction', transaction_id, 'reason', reason,
                    'requestedAt', requested_ms, 'answeredAt', answered_ms,
                    'consented', consented, 'consumedPercentage', consumed_percentage,
                    'delivery', delivery, 'preference', preference, 'sampled', sampled,
                    'grantedAt', granted_ms, 'grantType', grant_type,
                    'grantPercentage', grant_percentage, 'declinedAt', declined_ms,
                    'reversedAt', reversed_ms, 'milliunits', grant_milliunits,
                    'currency', refund_request.currency)
                FROM refund_request
                JOIN store_transaction ON store_transaction.id = transaction_id
                WHERE account_id = ?1 AND transaction_id IN (\(transactions))
                """),
        Part(
            name: "revocations", tables: ["revocation"],
            sql: """
                SELECT json_object('transaction', transaction_id, 'reason', reason, 'at', at_ms)
                FROM revocation JOIN store_transaction ON store_transaction.id = transaction_id
                WHERE account_id = ?1 AND transaction_id IN (\(transactions))
                """),
        Part(
            name: "upgradeRefunds", tables: ["refund"],
            sql: """
                SELECT json_object('transaction', transaction_id, 'cause', cause,
                    'milliunits', milliunits, 'currency', refund.currency, 'at', at_ms)
                FROM refund JOIN store_transaction ON store_transaction.id = transaction_id
                WHERE account_id = ?1 AND transaction_id IN (\(transactions))
                """),
    ]

    private static let money = [
        Part(
            name: "credit", tables: ["credit_balance"],
            sql: """
                SELECT json_object('currency', currency, 'milliunits', milliunits)
                FROM credit_balance WHERE account_id = ?1
                """),
        Part(
            name: "ledger", tables: ["ledger_posting"],
            sql: """
                SELECT json_object('entry', number, 'kind', kind, 'at', at_ms,
                    'milliunits', milliunits, 'currency', currency,
                    'transaction', transaction_id, 'note', note)
                FROM ledger_posting JOIN ledger_entry ON number = entry_number
                WHERE account_kind = 'customer' AND account_id = ?1
                """),
        // A redeemed code is found through its posting.
        Part(
            name: "giftCodes", tables: ["gift_code"],
            sql: """
                SELECT json_object('giftCode', gift_code.number,
                    'milliunits', gift_code.milliunits, 'currency', gift_code.currency,
                    'redeemedAt', redeemed_ms)
                FROM ledger_posting JOIN ledger_entry ON ledger_entry.number = entry_number
                JOIN gift_code
                    ON gift_code.number = CAST(substr(reference, length('giftCode/') + 1) AS INTEGER)
                WHERE account_kind = 'customer' AND account_id = ?1 AND kind = 'giftCode'
                """),
        Part(
            name: "payments", tables: ["payment"],
            sql: """
                SELECT json_object('payment', id, 'product', product_id, 'state', state,
                    'milliunits', milliunits, 'currency', currency, 'askedAt', asked_ms,
                    'capturedMilliunits', captured_milliunits,
                    'transaction', transaction_id, 'reference', reference, 'reason', reason)
                FROM payment WHERE account_id = ?1
                """),
        Part(
            name: "paymentRefunds", tables: ["payment_refund"],
            sql: """
                SELECT json_object('refund', refund.id, 'payment', payment_id,
                    'milliunits', refund.milliunits, 'currency', refund.currency,
                    'state', refund.state, 'reason', refund.reason)
                FROM payment CROSS JOIN payment_refund AS refund ON payment_id = payment.id
                WHERE account_id = ?1
                """),
    ]

    private static let rest = [
        Part(
            name: "keyValues", tables: ["key_value"],
            sql: """
                SELECT json_object('app', bundle_id, 'key', key_value.name, 'value', value,
                    'changedAt', key_value.changed_ms)
                FROM key_value JOIN app ON app.id = app_id
                WHERE account_id = ?1 AND value IS NOT NULL
                """),
        Part(
            name: "events", tables: ["event"],
            sql: """
                SELECT json_object('number', number, 'kind', kind, 'transaction', transaction_id,
                    'subject', subject, 'at', at_ms)
                FROM event WHERE account_id = ?1
                """),
        Part(
            name: "notifications", tables: ["notification"],
            sql: """
                SELECT json_object('uuid', uuid, 'kind', kind, 'subtype', subtype,
                    'madeAt', made_ms, 'attempts', attempts, 'lastResult', last_result)
                FROM notification WHERE account_id = ?1
                """),
    ]

    /// The JSON of all parts.
    static func text(of account: AccountID, _ scope: borrowing ReadScope) throws -> [UInt8] {
        var text = "{"
        var left = rowsMax
        for part in parts {
            let rows = try scope.rows(
                "\(part.sql) LIMIT ?2",
                [
                    .integer(account.rawValue), .integer(Int64(left + 1)),
                ])
            guard rows.count <= left else { throw Refusal.exportTooLong }
            left -= rows.count
            text += (text.count > 1 ? "," : "") + "\"\(part.name)\":["
            text += rows.map { $0.text(0) }.joined(separator: ",") + "]"
            guard text.utf8.count < bytesMax else { throw Refusal.exportTooLong }
        }
        return Array((text + "}").utf8)
    }

    /// `GET /control/v1/accounts/export`
    static func show(_ call: StoreCall) throws -> HTTPResponse {
        let named = try call.request.queryAccount()
        return .json(
            try call.world.database.read { scope in
                let account = try AccountUpkeepService.find(named, evenDeleted: true, scope)
                return try text(of: account.id, scope)
            })
    }
}

extension Refusal {
    fileprivate static let exportTooLong = Refusal(
        409, "exportTooLong",
        "The account has more than \(AccountExport.rowsMax) records, or \(AccountExport.bytesMax) "
            + "bytes of them: read them from a backup of the world, with SQLite.")
}
