import StoreDatabase
import StoreModel
import StoreSigning
import StoreVerification

/// An offer key that was revoked in an app, and when.
struct RevokedOfferKey: Sendable {
    /// SHA-256 of the app's bundle identifier, a zero byte and the key's public half.
    let digest: [UInt8]
    let at: Timestamp

    static func digest(of publicKeyInfo: [UInt8], bundleID: String) -> [UInt8] {
        sha256(Array(bundleID.utf8) + [0] + publicKeyInfo)
    }
}

extension ReadScope {
    /// The keys that were revoked in this world and in those it replaced.
    borrowing func revokedOfferKeys() throws -> [RevokedOfferKey] {
        let here = try rows(
            """
            SELECT public_key, bundle_id, revoked_real_ms
            FROM offer_key JOIN app ON app.id = app_id WHERE revoked_real_ms IS NOT NULL
            """
        ).map {
            RevokedOfferKey(
                digest: RevokedOfferKey.digest(
                    of: try $0["public_key"], bundleID: try $0["bundle_id"]),
                at: try $0["revoked_real_ms"])
        }
        let before = try rows("SELECT digest, revoked_real_ms FROM revoked_offer_key").map {
            RevokedOfferKey(digest: try $0["digest"], at: try $0["revoked_real_ms"])
        }
        return here + before
    }
}

extension WriteScope {
    /// Takes over the keys revoked in the previous world: revokes those that this world has, and
    /// remembers all of them for the next world and in case a file brings one back.
    borrowing func takeOver(_ keys: [RevokedOfferKey]) throws {
        for key in keys {
            try insert(
                into: "revoked_offer_key",
                [
                    "digest": key.digest, "revoked_real_ms": key.at,
                ], "ON CONFLICT (digest) DO NOTHING")
        }
        let revokedAt = Dictionary(
            keys.map { ($0.digest, $0.at) }, uniquingKeysWith: { first, _ in first })
        let kept = try rows(
            """
            SELECT number, public_key, bundle_id
            FROM offer_key JOIN app ON app.id = app_id WHERE revoked_real_ms IS NULL
            """)
        for row in kept {
            let digest = RevokedOfferKey.digest(
                of: try row["public_key"], bundleID: try row["bundle_id"])
            guard let time = revokedAt[digest] else { continue }
            try execute(
                "UPDATE offer_key SET revoked_real_ms = ?2 WHERE number = ?1",
                [try row["number"] as Int64, time])
        }
    }

    /// Whether a key was revoked in an app of this world or of one it replaced.
    borrowing func wasRevoked(
        publicKeyInfo: [UInt8], in app: AppID, bundleID: String
    ) throws -> Bool {
        try row(
            """
            SELECT 1 FROM revoked_offer_key WHERE digest = ?1
            UNION ALL
            SELECT 1 FROM offer_key
            WHERE app_id = ?2 AND public_key = ?3 AND revoked_real_ms IS NOT NULL
            """,
            [
                RevokedOfferKey.digest(of: publicKeyInfo, bundleID: bundleID), app, publicKeyInfo,
            ]) != nil
    }
}
