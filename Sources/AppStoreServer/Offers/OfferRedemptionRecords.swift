import StoreDatabase
import StoreModel
import StoreRules

/// A code that an account redeemed.
struct OfferRedemptionRecord: Sendable {
    /// Nil of an offer that began with a renewal.
    let transaction: TransactionID?
}

extension ReadScope {
    /// What came of an account's redeeming of just this code; nil when it did not.
    borrowing func redemption(
        of named: NamedOfferCode, by account: AccountID
    ) throws -> OfferRedemptionRecord? {
        try row(
            """
            SELECT transaction_id FROM offer_redemption
            WHERE account_id = ?1 AND code_number = ?2
                AND (digest = ?3 OR (digest IS NULL AND ?3 IS NULL))
            """,
            [
                .integer(account.rawValue), .integer(named.code.number),
                named.digest.map { .blob($0) } ?? .null,
            ]
        ).map { OfferRedemptionRecord(transaction: $0.integerOrNil(0).map { TransactionID($0) }) }
    }

    /// What was redeemed before an account names a code; `digest` is that of a one-time code.
    borrowing func use(
        of code: OfferCode, digest: [UInt8]?, by account: AccountID
    ) throws -> OfferCodeUse {
        let count =
            if let digest {
                try row("SELECT count(*) FROM offer_redemption WHERE digest = ?1", [.blob(digest)])
            } else {
                try row(
                    "SELECT coalesce(max(ordinal), 0) FROM offer_redemption WHERE code_number = ?1",
                    [.integer(code.number)])
            }
        let own = try row(
            """
            SELECT 1 FROM offer_redemption JOIN offer_code ON number = code_number
            WHERE account_id = ?1 AND app_id = ?2 AND product_id = ?3 AND offer_id = ?4 LIMIT 1
            """,
            [
                .integer(account.rawValue), .integer(code.app.rawValue),
                .text(code.product.rawValue), .text(code.offerID),
            ])
        return OfferCodeUse(count: count?.integer(0) ?? 0, hasAccountUsedOffer: own != nil)
    }
}

extension WriteScope {
    /// Notes that an account redeemed a code.
    borrowing func addRedemption(
        of code: OfferCode, digest: [UInt8]?, by account: AccountID, transaction: TransactionID?,
        at now: Timestamp
    ) throws {
        try execute(
            """
            INSERT INTO offer_redemption
                (code_number, ordinal, digest, account_id, transaction_id, at_ms)
            SELECT ?1, coalesce(max(ordinal), 0) + 1, ?2, ?3, ?4, ?5
            FROM offer_redemption WHERE code_number = ?1
            """,
            [
                .integer(code.number), digest.map { .blob($0) } ?? .null,
                .integer(account.rawValue), .integer(transaction?.rawValue),
                .integer(now.milliseconds),
            ])
    }
}
