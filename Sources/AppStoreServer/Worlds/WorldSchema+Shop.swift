import StoreDatabase

extension WorldSchema {
    /// The shop owner's side: review history, changes on their way, dated prices, developers and
    /// their shared secrets.
    static let shop = Migration(
        number: 2, statements: productColumns + reviews + versions + prices + owners)

    private static let productColumns = [
        "ALTER TABLE product ADD COLUMN renewal_period TEXT",
        "ALTER TABLE product ADD COLUMN group_level BIGINT",
        "ALTER TABLE product ADD COLUMN category TEXT",
        // When devices see the product as this row has it; null when they always do.
        "ALTER TABLE product ADD COLUMN settled_ms BIGINT",
    ]

    // The history outlives its product, so it names no row of it.
    private static let reviews = [
        """
        CREATE TABLE product_review (
            number BIGINT PRIMARY KEY,
            app_id BIGINT NOT NULL REFERENCES app (id),
            product_id TEXT NOT NULL,
            step TEXT NOT NULL,
            state TEXT NOT NULL,
            reason TEXT,
            note TEXT,
            at_ms BIGINT NOT NULL
        )
        """,
        "CREATE INDEX product_review_by_product ON product_review (app_id, product_id, number)",
        """
        INSERT INTO product_review (number, app_id, product_id, step, state, at_ms)
        SELECT row_number() OVER (ORDER BY app_id, product_id), app_id, product_id,
            'registered', state, app.changed_ms
        FROM product JOIN app ON app.id = product.app_id
        """,
        """
        INSERT INTO sequence (name, next)
        SELECT 'product_review', count(*) + 1 FROM product_review
        """,
    ]

    private static let versions = [
        """
        CREATE TABLE product_version (
            number BIGINT PRIMARY KEY,
            app_id BIGINT NOT NULL,
            product_id TEXT NOT NULL,
            visible_ms BIGINT NOT NULL,
            body TEXT
        )
        """,
        "CREATE INDEX product_version_by_product ON product_version (app_id, product_id, number)",
    ]

    // An entry that ended says how; nothing is deleted but with its product.
    private static let prices = [
        """
        CREATE TABLE price_entry (
            number BIGINT PRIMARY KEY,
            app_id BIGINT NOT NULL,
            product_id TEXT NOT NULL,
            storefront TEXT NOT NULL,
            price_milliunits BIGINT,
            from_ms BIGINT,
            added_ms BIGINT NOT NULL,
            ended TEXT CHECK (ended IN ('replaced', 'cancelled'))
        )
        """,
        "CREATE INDEX price_entry_by_product ON price_entry (app_id, product_id, ended, number)",
        """
        INSERT INTO price_entry
            (number, app_id, product_id, storefront, price_milliunits, from_ms, added_ms, ended)
        SELECT row_number() OVER (ORDER BY app_id, product_id, product_price.storefront), app_id,
            product_id, product_price.storefront, price_milliunits, NULL, app.changed_ms, NULL
        FROM product_price JOIN app ON app.id = product_price.app_id
        """,
        "INSERT INTO sequence (name, next) SELECT 'price_entry', count(*) + 1 FROM price_entry",
        "DROP TABLE product_price",
    ]

    private static let owners = [
        """
        CREATE TABLE shop (
            id BIGINT PRIMARY KEY CHECK (id = 1),
            new_products_wait BIGINT NOT NULL,
            delay_ms BIGINT NOT NULL
        )
        """,
        "INSERT INTO shop (id, new_products_wait, delay_ms) VALUES (1, 0, 0)",
        "CREATE TABLE developer (id BIGINT PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
        "INSERT INTO developer (id, name) VALUES (1, 'default')",
        "INSERT INTO sequence (name, next) VALUES ('developer', 2)",
        "ALTER TABLE app ADD COLUMN developer_id BIGINT NOT NULL DEFAULT 1",
        "ALTER TABLE app ADD COLUMN delay_ms BIGINT",
        // A secret belongs to a developer account or to one app; all its times are real.
        """
        CREATE TABLE shared_secret (
            number BIGINT PRIMARY KEY,
            developer_id BIGINT REFERENCES developer (id),
            app_id BIGINT REFERENCES app (id),
            digest BLOB NOT NULL,
            made_real_ms BIGINT NOT NULL,
            accepted_until_real_ms BIGINT,
            revoked_real_ms BIGINT,
            CHECK ((developer_id IS NULL) <> (app_id IS NULL))
        )
        """,
        "CREATE INDEX shared_secret_by_owner ON shared_secret (developer_id, app_id)",
    ]
}
