import StoreDatabase
import StoreModel

/// The store's current time, going by its newest answer: it may be a test's clock, far from ours.
enum StoreClockRecords {
    /// Notes the clock of an answer that came at `now` and was requested at `asked`, unless another
    /// came meanwhile: that may be the newer one.
    static func set(
        _ scope: borrowing WriteScope, _ environment: StoreEnvironment, storeNow: Timestamp,
        asked: Timestamp, now: Timestamp
    ) throws {
        try scope.execute(
            """
            INSERT INTO store_clocks (environment, store_at, seen_at) VALUES (?1, ?2, ?3)
            ON CONFLICT (environment) DO UPDATE SET store_at = ?2, seen_at = ?3
                WHERE store_clocks.seen_at <= ?4 OR store_clocks.seen_at > ?3
            """, [environment, storeNow, now, asked])
    }

    /// The store's clock at a moment of ours; ours until an answer shows another.
    static func now(
        _ scope: borrowing ReadScope, _ environment: StoreEnvironment, at now: Timestamp
    ) throws -> Timestamp {
        try reading(
            scope.row(
                "SELECT store_at, seen_at FROM store_clocks WHERE environment = ?", [environment]),
            at: now)
    }

    private static func reading(_ row: Row?, at now: Timestamp) throws -> Timestamp {
        guard let row else { return now }
        // Our clock may have been put back since.
        let (stored, seen): (Timestamp, Timestamp) = (try row["store_at"], try row["seen_at"])
        return stored.adding(milliseconds: max(now.milliseconds - seen.milliseconds, 0))
    }
}
