import StoreDatabase
import StoreModel

/// A storefront's own price as the store keeps it.
struct PriceEntry: Sendable {
    enum Ending: String, Sendable {
        case replaced
        case cancelled
    }

    let number: Int64
    let price: DatedPrice
    let addedAt: Timestamp
    /// Nil while it counts.
    let ended: Ending?
}

private let entryColumns = "number, storefront, price_milliunits, from_ms, added_ms, ended"

private let countingEntries = """
    SELECT \(entryColumns) FROM price_entry
    WHERE app_id = ?1 AND product_id = ?2 AND ended IS NULL ORDER BY number
    """

extension ReadScope {
    /// The own prices that count, in the order they were set.
    borrowing func ownPrices(of product: ProductID, in app: AppID) throws -> [DatedPrice] {
        try rows(
            countingEntries, [.integer(app.rawValue), .text(product.rawValue)]
        ).map { try PriceEntry($0).price }
    }

    /// The newest entries, ended ones too, by storefront and number.
    borrowing func priceEntries(
        of product: ProductID, in app: AppID, countMax: Int
    ) throws -> [PriceEntry] {
        try rows(
            """
            SELECT \(entryColumns) FROM price_entry WHERE app_id = ?1 AND product_id = ?2
            ORDER BY number DESC LIMIT ?3
            """,
            [.integer(app.rawValue), .text(product.rawValue), .integer(Int64(countMax))]
        ).map { try PriceEntry($0) }
            .sorted { ($0.price.storefront, $0.number) < ($1.price.storefront, $1.number) }
    }

    borrowing func priceEntry(
        _ number: Int64, of product: ProductID, in app: AppID
    ) throws -> PriceEntry? {
        try row(
            """
            SELECT \(entryColumns) FROM price_entry
            WHERE number = ?3 AND app_id = ?1 AND product_id = ?2
            """, [.integer(app.rawValue), .text(product.rawValue), .integer(number)]
        ).map { try PriceEntry($0) }
    }
}

extension WriteScope {
    @discardableResult
    borrowing func addPrice(
        _ price: DatedPrice, of product: ProductID, in app: AppID, now: Timestamp
    ) throws -> PriceEntry {
        let number = try next("price_entry")
        try execute(
            """
            INSERT INTO price_entry
                (number, app_id, product_id, storefront, price_milliunits, from_ms, added_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """,
            [
                .integer(number), .integer(app.rawValue), .text(product.rawValue),
                .text(price.storefront), .integer(price.price?.milliunits),
                .integer(price.from?.milliseconds), .integer(now.milliseconds),
            ])
        return PriceEntry(number: number, price: price, addedAt: now, ended: nil)
    }

    /// A price at once: what has begun in that storefront is replaced, what is to come stays.
    borrowing func setPrice(
        _ price: Price?, storefront: Storefront, of product: ProductID, in app: AppID,
        now: Timestamp
    ) throws {
        try execute(
            """
            UPDATE price_entry SET ended = 'replaced'
            WHERE app_id = ?1 AND product_id = ?2 AND storefront = ?3 AND ended IS NULL
                AND (from_ms IS NULL OR from_ms <= ?4)
            """,
            [
                .integer(app.rawValue), .text(product.rawValue), .text(storefront.countryCode),
                .integer(now.milliseconds),
            ])
        guard let price else { return }
        try addPrice(
            DatedPrice(storefront: storefront.countryCode, price: price, from: nil),
            of: product, in: app, now: now)
    }

    /// Makes the prices in force hold from the beginning of time, for a clock that starts anew:
    /// those before them are replaced, and those to come are cancelled.
    borrowing func settlePrices(now: Timestamp) throws {
        let now = SQLValue.integer(now.milliseconds)
        try execute(
            "UPDATE price_entry SET ended = 'cancelled' WHERE ended IS NULL AND from_ms > ?1", [now]
        )
        // As `PriceRules.inForce` has it; what has not ended by now has begun.
        try execute(
            """
            UPDATE price_entry SET ended = 'replaced' WHERE ended IS NULL AND EXISTS (
                SELECT 1 FROM price_entry AS other
                WHERE other.app_id = price_entry.app_id
                    AND other.product_id = price_entry.product_id
                    AND other.storefront = price_entry.storefront AND other.ended IS NULL
                    AND (coalesce(other.from_ms, ?1) > coalesce(price_entry.from_ms, ?1)
                        OR (coalesce(other.from_ms, ?1) = coalesce(price_entry.from_ms, ?1)
                            AND other.number > price_entry.number)))
            """, [.integer(Timestamp.range.lowerBound.milliseconds)])
        try execute("UPDATE price_entry SET from_ms = NULL WHERE ended IS NULL")
    }

    borrowing func cancelPrice(_ number: Int64) throws {
        try execute(
            "UPDATE price_entry SET ended = 'cancelled' WHERE number = ?1 AND ended IS NULL",
            [.integer(number)])
    }
}

extension PriceEntry {
    /// From `entryColumns`.
    fileprivate init(_ row: Row) throws(DatabaseError) {
        self.init(
            number: row.integer(0),
            price: DatedPrice(
                storefront: row.text(1),
                price: try row.integerOrNil(2).map { milliunits throws(DatabaseError) in
                    try Price(stored: milliunits)
                }, from: row.integerOrNil(3).map { Timestamp(milliseconds: $0) }),
            addedAt: Timestamp(milliseconds: row.integer(4)),
            ended: try row.textOrNil(5).map { text throws(DatabaseError) in
                try Ending(stored: text)
            })
    }
}
