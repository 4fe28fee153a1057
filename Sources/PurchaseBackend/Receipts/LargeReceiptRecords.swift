import StoreDatabase
import StoreModel

/// Limits the bytes of large receipts for which nothing was granted, because the file keeps them
/// even if they are made up. Small ones are limited by number, and always accepted.
///
/// As with the number, stalled submissions do not count: they wait for the operator, and would
/// block their user until then.
enum LargeReceiptRecords {
    /// Whether there is room for a receipt; one that is stored already takes none.
    static func hasRoom(_ scope: borrowing WriteScope, for new: NewSubmission) throws -> Bool {
        guard new.receipt.count > BackendLimits.smallReceiptBytesMax else { return true }
        let isStored = try scope.row(
            "SELECT 1 FROM receipts WHERE sha256 = ? AND length(bytes) > 0", [new.receiptHash])
        if isStored != nil { return true }
        let held = try held(scope, by: new.user)
        let count = Int64(new.receipt.count)
        return held.byUser + count <= BackendLimits.largeReceiptBytesPerUserMax
            && held.byAll + count <= BackendLimits.largeReceiptBytesMax
    }

    /// Counts the bytes of a stored receipt that is being tried, if it is large, is not counted yet
    /// and nothing was granted for it.
    static func add(
        _ scope: borrowing WriteScope, hash: [UInt8], of user: BackendUserID
    ) throws {
        try scope.execute(
            """
            INSERT INTO large_receipts (sha256, user_id, byte_count)
            SELECT sha256, ?2, length(bytes) FROM receipts
            WHERE sha256 = ?1 AND length(bytes) > ?3
                AND NOT EXISTS (SELECT 1 FROM submissions
                    WHERE receipt_sha256 = ?1 AND state IN ('granted', 'alreadyGranted'))
            ON CONFLICT (sha256) DO NOTHING
            """, [hash, user, BackendLimits.smallReceiptBytesMax])
    }

    /// Ends the count of a receipt whose last tried submission has stalled.
    static func rest(_ scope: borrowing WriteScope, hash: [UInt8]) throws {
        try scope.execute(
            """
            DELETE FROM large_receipts WHERE sha256 = ?1
                AND NOT EXISTS (SELECT 1 FROM submissions WHERE receipt_sha256 = ?1
                    AND next_try_at IS NOT NULL AND stalled_at IS NULL)
            """, [hash])
    }

    /// Ends the count of a receipt for which something was granted, or whose bytes are gone.
    static func remove(_ scope: borrowing WriteScope, hash: [UInt8]) throws {
        try scope.execute("DELETE FROM large_receipts WHERE sha256 = ?", [hash])
    }

    /// Whether a refused receipt must make room: it keeps its bytes only while refused and waiting
    /// receipts together take less than half of the limit.
    static func mustGo(_ scope: borrowing WriteScope, hash: [UInt8]) throws -> Bool {
        guard
            let owner = try scope.row(
                "SELECT user_id FROM large_receipts WHERE sha256 = ?", [hash])
        else { return false }
        let held = try held(scope, by: try owner["user_id"])
        return held.byUser > BackendLimits.largeReceiptBytesPerUserMax / 2
            || held.byAll > BackendLimits.largeReceiptBytesMax / 2
    }

    private static func held(
        _ scope: borrowing WriteScope, by user: BackendUserID
    ) throws -> (byUser: Int64, byAll: Int64) {
        let row = try scope.row(
            """
            SELECT coalesce(sum(byte_count) FILTER (WHERE user_id = ?), 0) AS by_user,
                coalesce(sum(byte_count), 0) AS by_all
            FROM large_receipts
            """, [user])
        return (try row?["by_user"] ?? 0, try row?["by_all"] ?? 0)
    }
}
