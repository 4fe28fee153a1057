import StoreDatabase
import StoreModel

extension ReadScope {
    /// Whether a signature with this nonce was used in an app.
    borrowing func isUsed(_ nonce: OfferNonce, in app: AppID) throws -> Bool {
        try row(
            "SELECT 1 FROM offer_nonce WHERE app_id = ?1 AND nonce = ?2", [app, nonce.text]) != nil
    }
}

extension WriteScope {
    /// Uses up a nonce; false when it was used before. It is kept until that moment and for
    /// `Limits.nonceKeptMilliseconds` more, in case the real clock is set back.
    borrowing func use(
        _ nonce: OfferNonce, in app: AppID, untilReal end: Timestamp, realNow: Timestamp
    ) throws -> Bool {
        try dropNonces(realNow: realNow)
        let end = max(end, realNow).adding(milliseconds: Limits.nonceKeptMilliseconds)
        return try insert(
            into: "offer_nonce",
            [
                "app_id": app, "nonce": nonce.text, "kept_until_real_ms": end,
            ], "ON CONFLICT (app_id, nonce) DO NOTHING") == 1
    }

    /// Drops some expired nonces: more than arrive, and few at once.
    private borrowing func dropNonces(realNow: Timestamp) throws {
        try execute(
            """
            DELETE FROM offer_nonce WHERE (app_id, nonce) IN (
                SELECT app_id, nonce FROM offer_nonce WHERE kept_until_real_ms < ?1
                ORDER BY kept_until_real_ms LIMIT ?2)
            """, [realNow, Limits.noncesDroppedAtOnce])
    }
}
