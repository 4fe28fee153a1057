import StoreDatabase
import StoreModel

/// A storefront's own price as the store keeps it.
struct PriceEntry: Sendable {
    enum Ending: String, ColumnValue {
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
    /// The own prices that count, in the order in which they were set.
    borrowing func ownPrices(of product: ProductID, in app: AppID) throws -> [DatedPrice] {
        try rows(
            countingEntries, [app, product]
        ).map { try PriceEntry($0).price }
    }

    /// The newest entries, including ended ones, by storefront and number.
    borrowing func priceEntries(
        of product: ProductID, in app: AppID, countMax: Int
    ) throws -> [PriceEntry] {
        try rows(
            """
            SELECT \(entryColumns) FROM price_entry WHERE app_id = ?1 AND product_id = ?2
            ORDER BY number DESC LIMIT ?3
            """, [app, product, countMax]
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
            """, [app, product, number]
        ).map { try PriceEntry($0) }
    }
}

extension WriteScope {
    @discardableResult
    borrowing func addPrice(
        _ price: DatedPrice, of product: ProductID, in app: AppID, now: Timestamp
    ) throws -> PriceEntry {
        let number = try next("price_entry")
        try insert(
            into: "price_entry",
            [
                "number": number, "app_id": app, "product_id": product,
                "storefront": price.storefront, "price_milliunits": price.price?.milliunits,
                "from_ms": price.from, "added_ms": now,
            ])
        return PriceEntry(number: number, price: price, addedAt: now, ended: nil)
    }

    /// Sets a price at once: it replaces the prices that have begun in that storefront; scheduled
    /// ones stay.
    borrowing func setPrice(
        _ price: Price?, storefront: Storefront, of product: ProductID, in app: AppID,
        now: Timestamp
    ) throws {
        try execute(
            """
            UPDATE price_entry SET ended = 'replaced'
            WHERE app_id = ?1 AND product_id = ?2 AND storefront = ?3 AND ended IS NULL
                AND (from_ms IS NULL OR from_ms <= ?4)
            """, [app, product, storefront.countryCode, now])
        guard let price else { return }
        try addPrice(
            DatedPrice(storefront: storefront.countryCode, price: price, from: nil),
            of: product, in: app, now: now)
    }

    /// Makes the prices in force apply from the beginning of time, for a clock that starts anew:
    /// earlier ones are replaced, and scheduled ones are cancelled.
    borrowing func settlePrices(now: Timestamp) throws {
        try execute(
            "UPDATE price_entry SET ended = 'cancelled' WHERE ended IS NULL AND from_ms > ?1", [now]
        )
        // As in `PriceRules.inForce`; a price that has not ended by now has begun.
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
            """, [Timestamp.range.lowerBound])
        try execute("UPDATE price_entry SET from_ms = NULL WHERE ended IS NULL")
    }

    borrowing func cancelPrice(_ number: Int64) throws {
        try execute(
            "UPDATE price_entry SET ended = 'cancelled' WHERE number = ?1 AND ended IS NULL",
            [number])
    }
}

extension PriceEntry {
    /// From `entryColumns`.
    fileprivate init(_ row: Row) throws(DatabaseError) {
        self.init(
            number: try row["number"],
            price: DatedPrice(
                storefront: try row["storefront"],
                price: try row["price_milliunits"], from: try row["from_ms"]),
            addedAt: try row["added_ms"],
            ended: try row["ended"])
    }
}
