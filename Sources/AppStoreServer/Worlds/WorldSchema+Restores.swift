import StoreDatabase

extension WorldSchema {
    /// Purchases that were given back, and the restores that did it.
    static let restores = Migration(
        number: 7,
        statements: [
            // Which restore of the transaction's device made it, and which purchase it gives back.
            "ALTER TABLE store_transaction ADD COLUMN restore_id TEXT",
            "ALTER TABLE store_transaction ADD COLUMN restored_id BIGINT",
            """
            CREATE UNIQUE INDEX transaction_by_restore
                ON store_transaction (device_id, restore_id, restored_id)
                WHERE restore_id IS NOT NULL
            """,
            // Purchases and receipts do not grow slower with what is given back.
            "DROP INDEX transaction_by_account",
            """
            CREATE INDEX transaction_by_account ON store_transaction (account_id, app_id, id)
                WHERE restore_id IS NULL
            """,
            """
            CREATE INDEX transaction_restorable ON store_transaction (account_id, app_id, id)
                WHERE restore_id IS NULL AND kind <> 'consumable'
            """,
            """
            CREATE TABLE restore (
                device_id BIGINT NOT NULL REFERENCES device (id),
                restore_id TEXT NOT NULL,
                account_id BIGINT NOT NULL REFERENCES account (id),
                application_username TEXT,
                PRIMARY KEY (device_id, restore_id)
            )
            """,
            // A page looked at the purchases after one and up to another; null in the last page.
            """
            CREATE TABLE restore_page (
                device_id BIGINT NOT NULL,
                restore_id TEXT NOT NULL,
                after_id BIGINT NOT NULL,
                last_id BIGINT,
                given_ms BIGINT NOT NULL,
                PRIMARY KEY (device_id, restore_id, after_id)
            )
            """,
        ])
}
