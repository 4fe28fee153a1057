import StoreDatabase
import StoreModel

/// Bounds the bytes of large receipts of which nothing was granted: whoever made them up, the file
/// keeps them. Small ones are bounded by their number, and are always taken.
///
/// As with the number, what is stalled does not count: it waits for somebody, and would keep its user
/// from sending more until then.
enum LargeReceiptRecords {
    /// Whether a receipt finds room; one that is stored already takes none.
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

    /// Counts the bytes of a stored receipt that is tried, when it is large, does not count yet and
    /// nothing of it was granted.
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

    /// Ends the count of a receipt that is not tried any more, since the last submission that was
    /// has stalled.
    static func rest(_ scope: borrowing WriteScope, hash: [UInt8]) throws {
        try scope.execute(
            """
            DELETE FROM large_receipts WHERE sha256 = ?1
                AND NOT EXISTS (SELECT 1 FROM submissions WHERE receipt_sha256 = ?1
                    AND next_try_at IS NOT NULL AND stalled_at IS NULL)
            """, [hash])
    }

    /// Ends the count of a receipt of which something was granted, or whose bytes are gone.
    static func remove(_ scope: borrowing WriteScope, hash: [UInt8]) throws {
        try scope.execute("DELETE FROM large_receipts WHERE sha256 = ?", [hash])
    }

    /// Whether a refused receipt is one that must make room: what was refused keeps its bytes only
    /// while it and what waits take less than half of what is allowed.
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
