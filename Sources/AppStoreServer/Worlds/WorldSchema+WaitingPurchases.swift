import StoreDatabase

extension WorldSchema {
    /// Purchases that wait for somebody's approval or for the person, and which accounts' do.
    static let waitingPurchases = Migration(
        number: 9,
        statements: [
            "ALTER TABLE account ADD COLUMN needs_approval BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE account ADD COLUMN interrupts_purchases BIGINT NOT NULL DEFAULT 0",
        ] + waitingPurchaseTable(causes: ["approval", "interruption"]))

    static func waitingPurchaseTable(causes: [String]) -> [String] {
        [
            // What the attempt asked for, which is decided when the answer comes.
            """
            CREATE TABLE waiting_purchase (
                number BIGINT PRIMARY KEY,
                device_id BIGINT NOT NULL REFERENCES device (id),
                attempt_id TEXT NOT NULL,
                account_id BIGINT NOT NULL REFERENCES account (id),
                cause TEXT NOT NULL CHECK (cause IN (\(listed(causes)))),
                product_id TEXT NOT NULL,
                quantity BIGINT NOT NULL,
                application_username TEXT,
                shown_milliunits BIGINT,
                shown_currency TEXT,
                asked_ms BIGINT NOT NULL,
                answer TEXT CHECK (answer IN ('approved', 'declined')),
                answered_ms BIGINT,
                UNIQUE (device_id, attempt_id),
                CHECK ((answer IS NULL) = (answered_ms IS NULL))
            )
            """,
            """
            CREATE INDEX waiting_purchase_by_account ON waiting_purchase (account_id, number)
                WHERE answer IS NULL
            """,
            """
            CREATE INDEX waiting_purchase_by_cause ON waiting_purchase (cause, number)
                WHERE answer IS NULL
            """,
        ]
    }
}
