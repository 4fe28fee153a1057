import StoreDatabase
import StoreModel
import StoreService

/// A product with the columns that only its row has.
struct ProductRecord: Sendable {
    let product: Product
    /// When devices see it like this; nil when they already do.
    let settlesAt: Timestamp?
}

private let productColumns = """
    product_id, kind, reference_name, is_family_shareable, subscription_group, state,
    price_milliunits, renewal_period, group_level, category, settled_ms, offers, internal_id
    """

// The queries of a purchase are composed once.
private let oneProduct =
    "SELECT \(productColumns) FROM product WHERE app_id = ?1 AND product_id = ?2"

extension ReadScope {
    /// A product as its owner left it, whether or not devices already see it like this.
    borrowing func product(_ id: ProductID, of app: AppID) throws -> Product? {
        try productRecord(id, of: app)?.product
    }

    borrowing func productRecord(_ id: ProductID, of app: AppID) throws -> ProductRecord? {
        let found = try row(oneProduct, [app, id])
        guard let found else { return nil }
        return try productRecord(from: found, of: app)
    }

    /// Every product of an app, by identifier; `inFileOnly` leaves out those no longer in the file.
    borrowing func products(of app: AppID, inFileOnly: Bool = false) throws -> [ProductRecord] {
        let found = try rows(
            """
            SELECT \(productColumns) FROM product
            WHERE app_id = ?1 AND is_in_file >= ?2 ORDER BY product_id
            """, [app, inFileOnly])
        var products: [ProductRecord] = []
        for row in found { products.append(try productRecord(from: row, of: app)) }
        return products
    }

    borrowing func knownProduct(_ id: String, of app: AppID) throws -> ProductRecord {
        guard let product = try productRecord(ProductID(id), of: app) else {
            throw Refusal(404, "productUnknown", "The app has no product \"\(id.prefix(255))\".")
        }
        return product
    }

    /// Whether any environment ever sold it.
    borrowing func wasSold(_ product: ProductID, of app: AppID) throws -> Bool {
        try row(
            "SELECT 1 FROM store_transaction WHERE app_id = ?1 AND product_id = ?2 LIMIT 1",
            [app, product]) != nil
    }

    private borrowing func productRecord(from row: Row, of app: AppID) throws -> ProductRecord {
        let id: ProductID = try row["product_id"]
        let texts = try rows(
            """
            SELECT locale, name, description FROM product_text
            WHERE app_id = ?1 AND product_id = ?2 ORDER BY position
            """, [app, id]
        ).map {
            ProductText(
                locale: try $0["locale"], name: try $0["name"], description: try $0["description"])
        }
        let product = Product(
            id: id, kind: try row["kind"], referenceName: try row["reference_name"],
            internalID: try row["internal_id"],
            isFamilyShareable: try row["is_family_shareable"],
            subscriptionGroup: try row["subscription_group"],
            renewalPeriod: try row["renewal_period"],
            groupLevel: try row["group_level"],
            offers: try [SubscriptionOffer](stored: try row["offers"]),
            state: try row["state"],
            category: try row["category"],
            basePrice: try row["price_milliunits"],
            ownPrices: try ownPrices(of: id, in: app), texts: texts)
        return ProductRecord(
            product: product,
            settlesAt: try row["settled_ms"])
    }
}

extension WriteScope {
    /// Writes a product as in the catalogue file; category and own prices stay as they are.
    borrowing func saveProduct(_ product: Product, of app: AppID) throws {
        let offers: SQLValue = try product.offers.stored(for: product.kind)
        try execute(
            """
            INSERT INTO product (app_id, product_id, kind, reference_name, is_family_shareable,
                subscription_group, state, is_in_file, price_milliunits, renewal_period, group_level,
                offers, internal_id)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 1, ?8, ?9, ?10, ?11, ?12)
            ON CONFLICT (app_id, product_id) DO UPDATE SET kind = ?3, reference_name = ?4,
                is_family_shareable = ?5, subscription_group = ?6, state = ?7, is_in_file = 1,
                price_milliunits = ?8, renewal_period = ?9, group_level = ?10,
                offers = ?11, internal_id = ?12
            """,
            [
                app, product.id, product.kind, product.referenceName, product.isFamilyShareable,
                product.subscriptionGroup, product.state, product.basePrice,
                product.renewalPeriod, product.groupLevel, offers, product.internalID,
            ])
        try execute(
            "DELETE FROM product_text WHERE app_id = ?1 AND product_id = ?2", [app, product.id])
        for (position, text) in product.texts.enumerated() {
            try insert(
                into: "product_text",
                [
                    "app_id": app, "product_id": product.id, "position": position,
                    "locale": text.locale, "name": text.name, "description": text.description,
                ])
        }
    }

    /// Notes that the file no longer has a product, which stays, with its sales.
    borrowing func retireProduct(_ product: ProductID, of app: AppID) throws {
        try execute(
            "UPDATE product SET is_in_file = 0 WHERE app_id = ?1 AND product_id = ?2",
            [app, product])
    }

    /// Deletes a product that was never sold.
    borrowing func deleteProduct(_ product: ProductID, of app: AppID) throws {
        for table in ["product_text", "price_entry", "product_version", "product"] {
            try execute(
                "DELETE FROM \(table) WHERE app_id = ?1 AND product_id = ?2", [app, product])
        }
        try deleteContent(of: product, in: app)
    }

    borrowing func setState(_ state: SaleState, of product: ProductID, in app: AppID) throws {
        try execute(
            "UPDATE product SET state = ?3 WHERE app_id = ?1 AND product_id = ?2",
            [app, product, state])
    }

    borrowing func setBasePrice(_ price: Price, of product: ProductID, in app: AppID) throws {
        try execute(
            "UPDATE product SET price_milliunits = ?3 WHERE app_id = ?1 AND product_id = ?2",
            [app, product, price.milliunits])
    }

    borrowing func setCategory(
        _ category: SalesCategory?, of product: ProductID, in app: AppID
    ) throws {
        try execute(
            "UPDATE product SET category = ?3 WHERE app_id = ?1 AND product_id = ?2",
            [app, product, category])
    }
}

extension Price {
    init(stored milliunits: Int64) throws(DatabaseError) {
        guard let price = Price(milliunits: milliunits) else {
            throw DatabaseError(code: .notADatabase, detail: "\(milliunits) is not a price")
        }
        self = price
    }
}
