import StoreDatabase
import StoreModel

/// An app's row, without its catalogue file.
struct AppRow: Sendable {
    let id: AppID
    let bundleID: String
    let storefront: Storefront
}

extension ReadScope {
    borrowing func app(bundleID: String) throws -> AppRow? {
        try row(
            "SELECT id, bundle_id, storefront FROM app WHERE bundle_id = ?1", [.text(bundleID)]
        ).map {
            AppRow(
                id: AppID($0.integer(0)), bundleID: $0.text(1),
                storefront: try Storefront(stored: $0.text(2)))
        }
    }

    /// The catalogue file as it is exported.
    borrowing func catalogue(of app: AppID) throws -> [UInt8]? {
        try row("SELECT catalogue FROM app WHERE id = ?1", [.integer(app.rawValue)])?.blob(0)
    }

    borrowing func product(_ id: ProductID, of app: AppID) throws -> Product? {
        let found = try row(
            """
            SELECT product_id, kind, reference_name, is_family_shareable, subscription_group,
                state, price_milliunits
            FROM product WHERE app_id = ?1 AND product_id = ?2
            """, [.integer(app.rawValue), .text(id.rawValue)])
        guard let found else { return nil }
        return try product(from: found, of: app)
    }

    /// Every product of an app, by identifier; `inFileOnly` leaves out those whose file lost them.
    borrowing func products(of app: AppID, inFileOnly: Bool = false) throws -> [Product] {
        let found = try rows(
            """
            SELECT product_id, kind, reference_name, is_family_shareable, subscription_group,
                state, price_milliunits
            FROM product WHERE app_id = ?1 AND is_in_file >= ?2 ORDER BY product_id
            """, [.integer(app.rawValue), .integer(inFileOnly ? 1 : 0)])
        var products: [Product] = []
        for row in found { products.append(try product(from: row, of: app)) }
        return products
    }

    /// Whether any environment ever sold it.
    borrowing func wasSold(_ product: ProductID, of app: AppID) throws -> Bool {
        try row(
            "SELECT 1 FROM store_transaction WHERE app_id = ?1 AND product_id = ?2 LIMIT 1",
            [.integer(app.rawValue), .text(product.rawValue)]) != nil
    }

    private borrowing func product(from row: Row, of app: AppID) throws -> Product {
        let key: [SQLValue] = [.integer(app.rawValue), .text(row.text(0))]
        let texts = try rows(
            """
            SELECT locale, name, description FROM product_text
            WHERE app_id = ?1 AND product_id = ?2 ORDER BY position
            """, key
        ).map { ProductText(locale: $0.text(0), name: $0.text(1), description: $0.text(2)) }
        let prices = try rows(
            """
            SELECT storefront, price_milliunits FROM product_price
            WHERE app_id = ?1 AND product_id = ?2
            """, key
        ).map { ($0.text(0), try Price(stored: $0.integer(1))) }
        return Product(
            id: ProductID(row.text(0)), kind: try ProductKind(stored: row.text(1)),
            referenceName: row.textOrNil(2), isFamilyShareable: row.integer(3) != 0,
            subscriptionGroup: row.textOrNil(4), state: try SaleState(stored: row.text(5)),
            basePrice: try Price(stored: row.integer(6)),
            pricesByStorefront: Dictionary(uniqueKeysWithValues: prices), texts: texts)
    }
}

extension WriteScope {
    /// Makes the app or gives its catalogue another file.
    ///
    /// `storefront` is where people are taken to be who are not signed in.
    borrowing func saveApp(
        bundleID: String, catalogue: [UInt8], storefront: Storefront, now: Timestamp
    ) throws -> AppID {
        if let known = try reading({ try $0.app(bundleID: bundleID) }) {
            try saveCatalogue(catalogue, of: known.id, now: now)
            try execute(
                "UPDATE app SET storefront = ?2 WHERE id = ?1",
                [.integer(known.id.rawValue), .text(storefront.countryCode)])
            return known.id
        }
        let id = try next("app")
        try execute(
            """
            INSERT INTO app (id, bundle_id, catalogue, storefront, created_ms, changed_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?5)
            """,
            [
                .integer(id), .text(bundleID), .blob(catalogue), .text(storefront.countryCode),
                .integer(now.milliseconds),
            ])
        return AppID(id)
    }

    borrowing func saveCatalogue(_ catalogue: [UInt8], of app: AppID, now: Timestamp) throws {
        try execute(
            "UPDATE app SET catalogue = ?2, changed_ms = ?3 WHERE id = ?1",
            [.integer(app.rawValue), .blob(catalogue), .integer(now.milliseconds)])
    }

    /// Writes a product as the catalogue file has it; storefront prices stay as they are.
    borrowing func saveProduct(_ product: Product, of app: AppID) throws {
        let key: [SQLValue] = [.integer(app.rawValue), .text(product.id.rawValue)]
        try execute(
            """
            INSERT INTO product (app_id, product_id, kind, reference_name, is_family_shareable,
                subscription_group, state, is_in_file, price_milliunits)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 1, ?8)
            ON CONFLICT (app_id, product_id) DO UPDATE SET kind = ?3, reference_name = ?4,
                is_family_shareable = ?5, subscription_group = ?6, state = ?7, is_in_file = 1,
                price_milliunits = ?8
            """,
            key + [
                .text(product.kind.rawValue), .text(product.referenceName),
                .integer(product.isFamilyShareable ? 1 : 0), .text(product.subscriptionGroup),
                .text(product.state.rawValue), .integer(product.basePrice.milliunits),
            ])
        try execute("DELETE FROM product_text WHERE app_id = ?1 AND product_id = ?2", key)
        for (position, text) in product.texts.enumerated() {
            try execute(
                """
                INSERT INTO product_text (app_id, product_id, position, locale, name, description)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                """,
                key + [
                    .integer(Int64(position)), .text(text.locale), .text(text.name),
                    .text(text.description),
                ])
        }
    }

    /// Takes a product that its file no longer has off sale, keeping it and all it ever sold.
    borrowing func retireProduct(_ product: ProductID, of app: AppID) throws {
        try execute(
            """
            UPDATE product SET state = 'removedFromSale', is_in_file = 0
            WHERE app_id = ?1 AND product_id = ?2
            """, [.integer(app.rawValue), .text(product.rawValue)])
    }

    /// Deletes a product that was never sold.
    borrowing func deleteProduct(_ product: ProductID, of app: AppID) throws {
        for table in ["product_text", "product_price", "product"] {
            try execute(
                "DELETE FROM \(table) WHERE app_id = ?1 AND product_id = ?2",
                [.integer(app.rawValue), .text(product.rawValue)])
        }
    }

    borrowing func setState(_ state: SaleState, of product: ProductID, in app: AppID) throws {
        try execute(
            "UPDATE product SET state = ?3 WHERE app_id = ?1 AND product_id = ?2",
            [.integer(app.rawValue), .text(product.rawValue), .text(state.rawValue)])
    }

    borrowing func setBasePrice(_ price: Price, of product: ProductID, in app: AppID) throws {
        try execute(
            "UPDATE product SET price_milliunits = ?3 WHERE app_id = ?1 AND product_id = ?2",
            [.integer(app.rawValue), .text(product.rawValue), .integer(price.milliunits)])
    }

    /// Sets a storefront's own price; nil takes it away again.
    borrowing func setPrice(
        _ price: Price?, storefront: Storefront, of product: ProductID, in app: AppID
    ) throws {
        let key: [SQLValue] = [
            .integer(app.rawValue), .text(product.rawValue), .text(storefront.countryCode),
        ]
        guard let price else {
            try execute(
                """
                DELETE FROM product_price
                WHERE app_id = ?1 AND product_id = ?2 AND storefront = ?3
                """, key)
            return
        }
        try execute(
            """
            INSERT INTO product_price (app_id, product_id, storefront, price_milliunits)
            VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (app_id, product_id, storefront) DO UPDATE SET price_milliunits = ?4
            """, key + [.integer(price.milliunits)])
    }
}

extension Price {
    init(stored milliunits: Int64) throws(DatabaseError) {
        guard let price = Price(milliunits: milliunits) else {
            throw DatabaseError(code: .notADatabase, detail: "\(milliunits) is no price")
        }
        self = price
    }
}
