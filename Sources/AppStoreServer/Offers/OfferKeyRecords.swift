import StoreDatabase
import StoreModel
import StoreSigning
import StoreWire

/// An offer key's row.
struct OfferKeyRow: Sendable {
    let key: OfferKey
    let origin: OfferKeyOrigin
    let madeAt: Timestamp
    let revokedAt: Timestamp?
}

extension OfferKeyOrigin: ColumnValue {}

private let keyColumns = "key_id, public_key, origin, made_real_ms, revoked_real_ms"

extension ReadScope {
    /// An app's keys, newest first.
    borrowing func offerKeys(of app: AppID) throws -> [OfferKeyRow] {
        try rows(
            "SELECT \(keyColumns) FROM offer_key WHERE app_id = ?1 ORDER BY number DESC", [app]
        ).map { try OfferKeyRow($0) }
    }

    borrowing func offerKey(_ id: String, of app: AppID) throws -> OfferKeyRow? {
        try row(
            "SELECT \(keyColumns) FROM offer_key WHERE app_id = ?1 AND key_id = ?2", [app, id]
        ).map { try OfferKeyRow($0) }
    }

    /// The identifier of the developer account that owns an app; nil when it never needed one.
    borrowing func issuerID(of app: AppID) throws -> String? {
        try value(
            """
            SELECT issuer_id FROM developer JOIN app ON app.developer_id = developer.id
            WHERE app.id = ?1
            """, [app])
    }

    /// The keys that check signatures of an app's offers.
    borrowing func offerKeyRing(of app: AppID, bundleID: String) throws -> OfferKeyRing {
        OfferKeyRing(
            bundleID: bundleID, issuerID: try issuerID(of: app),
            keys: try offerKeys(of: app).map(\.key))
    }
}

extension WriteScope {
    /// The identifier of the developer account that owns an app, made when it has none yet.
    borrowing func neededIssuerID(of app: AppID) throws -> String {
        if let known = try reading.issuerID(of: app) { return known }
        let made = makeUUID().lowercased()
        try execute(
            """
            UPDATE developer SET issuer_id = ?2
            WHERE id = (SELECT developer_id FROM app WHERE id = ?1)
            """, [app, made])
        return made
    }

    borrowing func addOfferKey(
        _ id: String, publicKeyInfo: [UInt8], origin: OfferKeyOrigin, of app: AppID,
        realNow: Timestamp
    ) throws {
        try insert(
            into: "offer_key",
            [
                "number": try next("offer_key"), "app_id": app, "key_id": id,
                "public_key": publicKeyInfo, "origin": origin, "made_real_ms": realNow,
            ])
    }

    /// Replaces the public half of a catalogue file's key with the file's present one.
    borrowing func replaceOfferKey(
        _ id: String, publicKeyInfo: [UInt8], of app: AppID, realNow: Timestamp
    ) throws {
        try execute(
            """
            UPDATE offer_key SET public_key = ?3, made_real_ms = ?4
            WHERE app_id = ?1 AND key_id = ?2
            """, [app, id, publicKeyInfo, realNow])
    }

    /// Revokes a key; nil when the app has none with this identifier.
    borrowing func revokeOfferKey(
        _ id: String, of app: AppID, realNow: Timestamp
    ) throws -> OfferKeyRow? {
        try row(
            """
            UPDATE offer_key SET revoked_real_ms = coalesce(revoked_real_ms, ?3)
            WHERE app_id = ?1 AND key_id = ?2 RETURNING \(keyColumns)
            """, [app, id, realNow]
        ).map { try OfferKeyRow($0) }
    }
}

extension OfferKeyRow {
    /// From `keyColumns`.
    fileprivate init(_ row: Row) throws(DatabaseError) {
        let revokedAt: Timestamp? = try row["revoked_real_ms"]
        self.init(
            key: OfferKey(
                id: try row["key_id"], publicKeyInfo: try row["public_key"],
                isRevoked: revokedAt != nil),
            origin: try row["origin"],
            madeAt: try row["made_real_ms"], revokedAt: revokedAt)
    }
}
