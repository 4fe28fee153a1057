import StoreDatabase

extension BackendSchema {
    /// What is stalled leaves the count of large receipts.
    static let fifth = Migration(
        number: 5,
        statements: [
            """
            DELETE FROM large_receipts
            WHERE sha256 IN (
                    SELECT receipt_sha256 FROM submissions WHERE stalled_at IS NOT NULL)
                AND sha256 NOT IN (
                    SELECT receipt_sha256 FROM submissions
                    WHERE next_try_at IS NOT NULL AND stalled_at IS NULL)
            """
        ])
}
