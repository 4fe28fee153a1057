import StoreDatabase
import StoreModel
import StoreRules

/// A code that an account redeemed.
struct OfferRedemptionRecord: Sendable {
    /// Nil for an offer that began with a renewal.
    let transaction: TransactionID?
}

extension ReadScope {
    /// An account's redemption of exactly this code; nil when there is none.
    borrowing func redemption(
        of named: NamedOfferCode, by account: AccountID
    ) throws -> OfferRedemptionRecord? {
        try row(
            """
            SELECT transaction_id FROM offer_redemption
            WHERE account_id = ?1 AND code_number = ?2
                AND (digest = ?3 OR (digest IS NULL AND ?3 IS NULL))
            """, [account, named.code.number, named.digest]
        ).map { OfferRedemptionRecord(transaction: try $0["transaction_id"]) }
    }

    /// Earlier redemptions that count when an account names a code; `digest` is that of a one-time
    /// code.
    borrowing func use(
        of code: OfferCode, digest: [UInt8]?, by account: AccountID
    ) throws -> OfferCodeUse {
        let count: Int64? =
            if let digest {
                try value("SELECT count(*) FROM offer_redemption WHERE digest = ?1", [digest])
            } else {
                try value(
                    "SELECT coalesce(max(ordinal), 0) FROM offer_redemption WHERE code_number = ?1",
                    [code.number])
            }
        let own = try row(
            """
            SELECT 1 FROM offer_redemption JOIN offer_code ON number = code_number
            WHERE account_id = ?1 AND app_id = ?2 AND product_id = ?3 AND offer_id = ?4 LIMIT 1
            """, [account, code.app, code.product, code.offerID])
        return OfferCodeUse(count: count ?? 0, hasAccountUsedOffer: own != nil)
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
            """, [code.number, digest, account, transaction, now])
    }
}
