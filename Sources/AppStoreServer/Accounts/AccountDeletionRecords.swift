import StoreDatabase
import StoreModel
import StoreRules

extension ReadScope {
    /// The account that got a pseudonym when it was deleted, and when that was.
    borrowing func deletedAccount(
        _ pseudonym: String, in environment: StoreEnvironment
    ) throws -> (account: Account, at: Timestamp)? {
        try row(
            """
            SELECT id, environment, name, storefront, deleted_ms FROM account
            WHERE environment = ?1 AND name = ?2 AND deleted_ms IS NOT NULL
            """, [environment, pseudonym]
        ).map { (try Account($0), try $0["deleted_ms"]) }
    }

    borrowing func isDeleted(_ account: AccountID) throws -> Bool {
        try row("SELECT 1 FROM account WHERE id = ?1 AND deleted_ms IS NOT NULL", [account]) != nil
    }

    /// Whether a transaction's account was deleted; false for an unknown transaction.
    borrowing func isOwnerDeleted(of transaction: TransactionID) throws -> Bool {
        try row(
            """
            SELECT 1 FROM store_transaction JOIN account ON account.id = account_id
            WHERE store_transaction.id = ?1 AND deleted_ms IS NOT NULL
            """, [transaction]) != nil
    }

    borrowing func deletionFacts(of account: AccountID) throws -> AccountDeletionFacts {
        AccountDeletionFacts(
            isInFamily: try familyNumber(of: account) != nil,
            hasOpenPayment: try row(
                """
                SELECT 1 FROM payment WHERE account_id = ?1 AND (
                    state IN ('authorizing', 'capturing', 'voiding')
                    OR EXISTS (SELECT 1 FROM payment_refund
                        WHERE payment_id = payment.id AND next_real_ms IS NOT NULL)) LIMIT 1
                """, [account]) != nil,
            hasOpenRefund: try row(
                """
                SELECT 1 FROM refund_request
                JOIN store_transaction ON store_transaction.id = refund_request.transaction_id
                WHERE account_id = ?1 AND granted_ms IS NULL AND declined_ms IS NULL LIMIT 1
                """, [account]) != nil)
    }

    /// The devices on which an account has signed in or bought something. A family member's copy
    /// names the buyer's device.
    borrowing func devices(of account: AccountID) throws -> [DeviceID] {
        try values(
            """
            SELECT device_id FROM device_account WHERE account_id = ?1
            UNION
            SELECT store_transaction.device_id FROM event
            JOIN store_transaction ON store_transaction.id = event.transaction_id
            WHERE event.account_id = ?1 AND store_transaction.account_id = ?1
                AND shared_id IS NULL
            ORDER BY 1
            """, [account])
    }

    /// Whether another account has signed in on a device, or bought something there.
    borrowing func isUsed(_ device: DeviceID, byOthersThan account: AccountID) throws -> Bool {
        try row(
            """
            SELECT 1 WHERE
                EXISTS (SELECT 1 FROM device_account WHERE device_id = ?1 AND account_id <> ?2)
                OR EXISTS (SELECT 1 FROM attempt WHERE device_id = ?1 AND account_id <> ?2)
                OR EXISTS (SELECT 1 FROM device_receipt WHERE device_id = ?1 AND account_id <> ?2)
                OR EXISTS (SELECT 1 FROM restore WHERE device_id = ?1 AND account_id <> ?2)
            """, [device, account]) != nil
    }
}

extension WriteScope {
    /// Takes an account's name, password, settings, sessions and key values away, and the names
    /// that apps gave its purchases.
    borrowing func erasePerson(
        _ account: AccountID, as pseudonym: String, at now: Timestamp
    ) throws {
        try deleteTokens(of: account)
        try execute(
            """
            UPDATE account SET name = ?2, password_hash = '', failures = 0,
                locked_until_real_ms = NULL, lock_reason = NULL, lock_until_real_ms = NULL,
                needs_approval = 0, interrupts_purchases = 0, fails_renewals = 0, deleted_ms = ?3
            WHERE id = ?1
            """, [account, pseudonym, now])
        // By the history, which has an index of accounts: each transaction has an event, except
        // restored ones that the app has not finished.
        try execute(
            """
            UPDATE store_transaction SET application_username = NULL
            WHERE application_username IS NOT NULL AND account_id = ?1
                AND id IN (SELECT transaction_id FROM event
                    WHERE account_id = ?1 AND transaction_id IS NOT NULL)
            """, [account])
        try execute(
            "UPDATE subscription SET application_username = NULL WHERE account_id = ?1", [account])
        // Notifications that are still to be delivered, such as that of a subscription's end, keep
        // the app's name for its user.
        try deleteNotifications(of: account)
        try execute("DELETE FROM key_value WHERE account_id = ?1", [account])
        try execute("DELETE FROM key_value_revision WHERE account_id = ?1", [account])
    }

    /// Takes away what a device asked for in an account's name.
    borrowing func erasePerson(_ account: AccountID, on device: DeviceID) throws {
        for table in ["waiting_purchase", "restore"] {
            try execute(
                """
                UPDATE \(table) SET application_username = NULL
                WHERE device_id = ?1 AND account_id = ?2
                """, [device, account])
        }
        for app in try reading.apps() {
            try execute(
                """
                UPDATE store_transaction SET application_username = NULL
                WHERE account_id = ?1 AND app_id = ?2 AND finished_ms IS NULL
                    AND restore_id IS NOT NULL AND device_id = ?3
                """, [account, app.id, device])
        }
        for table in ["device_account", "device_receipt", "key_value_request"] {
            try execute(
                "DELETE FROM \(table) WHERE device_id = ?1 AND account_id = ?2", [device, account])
        }
    }

    /// Gives a device another identifier. The device's own sessions end, and it registers anew.
    borrowing func renameDevice(_ device: DeviceID, as guid: String) throws {
        try execute("DELETE FROM device_token WHERE device_id = ?1", [device])
        try execute("UPDATE device SET guid = ?2 WHERE id = ?1", [device, guid])
    }
}
