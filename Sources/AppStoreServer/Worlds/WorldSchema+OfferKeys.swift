import StoreDatabase

extension WorldSchema {
    /// The keys that developers sign offers with, the nonces that were used up, offer codes and
    /// who redeemed them.
    static let offerKeys = Migration(number: 16, statements: keys + codes)

    private static let keys = [
        // A UUID that JWS name; made when the account first needs one.
        "ALTER TABLE developer ADD COLUMN issuer_id TEXT",
        // Its times are real: servers sign by theirs.
        """
        CREATE TABLE offer_key (
            number BIGINT PRIMARY KEY,
            app_id BIGINT NOT NULL REFERENCES app (id),
            key_id TEXT NOT NULL,
            public_key BLOB NOT NULL,
            origin TEXT NOT NULL CHECK (origin IN ('made', 'catalogue')),
            made_real_ms BIGINT NOT NULL,
            revoked_real_ms BIGINT,
            UNIQUE (app_id, key_id)
        )
        """,
        // What was revoked in worlds whose place this one took; a digest is of one app's key.
        """
        CREATE TABLE revoked_offer_key (
            digest BLOB PRIMARY KEY,
            revoked_real_ms BIGINT NOT NULL
        )
        """,
        """
        CREATE TABLE offer_nonce (
            app_id BIGINT NOT NULL REFERENCES app (id),
            nonce TEXT NOT NULL,
            kept_until_real_ms BIGINT NOT NULL,
            PRIMARY KEY (app_id, nonce)
        )
        """,
        "CREATE INDEX offer_nonce_by_end ON offer_nonce (kept_until_real_ms)",
    ]

    // Codes outlive their product, so they name no row of it.
    private static let codes = [
        """
        CREATE TABLE offer_code (
            number BIGINT PRIMARY KEY,
            app_id BIGINT NOT NULL REFERENCES app (id),
            product_id TEXT NOT NULL,
            offer_id TEXT NOT NULL,
            word TEXT,
            redemptions_max BIGINT NOT NULL,
            expires_ms BIGINT,
            made_ms BIGINT NOT NULL,
            deactivated_ms BIGINT,
            UNIQUE (app_id, word)
        )
        """,
        "CREATE INDEX offer_code_by_product ON offer_code (app_id, product_id, number)",
        """
        CREATE TABLE one_time_code (
            digest BLOB PRIMARY KEY,
            code_number BIGINT NOT NULL REFERENCES offer_code (number)
        )
        """,
        // The ordinal counts a code's redemptions from 1; a digest is of a one-time code.
        """
        CREATE TABLE offer_redemption (
            code_number BIGINT NOT NULL REFERENCES offer_code (number),
            ordinal BIGINT NOT NULL,
            digest BLOB,
            account_id BIGINT NOT NULL REFERENCES account (id),
            transaction_id BIGINT,
            at_ms BIGINT NOT NULL,
            PRIMARY KEY (code_number, ordinal)
        )
        """,
        "CREATE INDEX offer_redemption_by_account ON offer_redemption (account_id)",
        // Whatever asks: nothing is redeemed twice.
        """
        CREATE UNIQUE INDEX offer_redemption_one_time
            ON offer_redemption (digest) WHERE digest IS NOT NULL
        """,
        """
        CREATE UNIQUE INDEX offer_redemption_custom
            ON offer_redemption (code_number, account_id) WHERE digest IS NULL
        """,
    ]
}
