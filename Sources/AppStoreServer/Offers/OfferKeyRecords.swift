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

private let keyColumns = "key_id, public_key, origin, made_real_ms, revoked_real_ms"

extension ReadScope {
    /// An app's keys, newest first.
    borrowing func offerKeys(of app: AppID) throws -> [OfferKeyRow] {
        try rows(
            "SELECT \(keyColumns) FROM offer_key WHERE app_id = ?1 ORDER BY number DESC",
            [.integer(app.rawValue)]
        ).map { try OfferKeyRow($0) }
    }

    borrowing func offerKey(_ id: String, of app: AppID) throws -> OfferKeyRow? {
        try row(
            "SELECT \(keyColumns) FROM offer_key WHERE app_id = ?1 AND key_id = ?2",
            [.integer(app.rawValue), .text(id)]
        ).map { try OfferKeyRow($0) }
    }

    /// The identifier of the developer account that owns an app; nil when it never needed one.
    borrowing func issuerID(of app: AppID) throws -> String? {
        try row(
            """
            SELECT issuer_id FROM developer JOIN app ON app.developer_id = developer.id
            WHERE app.id = ?1
            """, [.integer(app.rawValue)])?.textOrNil(0)
    }

    /// What signatures for an app's offers are checked with.
    borrowing func offerKeyRing(of app: AppID, bundleID: String) throws -> OfferKeyRing {
        OfferKeyRing(
            bundleID: bundleID, issuerID: try issuerID(of: app),
            keys: try offerKeys(of: app).map(\.key))
    }
}

extension WriteScope {
    /// The identifier of the developer account that owns an app, made when it has none yet.
    borrowing func neededIssuerID(of app: AppID) throws -> String {
        if let known = try reading({ try $0.issuerID(of: app) }) { return known }
        let made = makeUUID().lowercased()
        try execute(
            """
            UPDATE developer SET issuer_id = ?2
            WHERE id = (SELECT developer_id FROM app WHERE id = ?1)
            """, [.integer(app.rawValue), .text(made)])
        return made
    }

    borrowing func addOfferKey(
        _ id: String, publicKeyInfo: [UInt8], origin: OfferKeyOrigin, of app: AppID,
        realNow: Timestamp
    ) throws {
        try execute(
            """
            INSERT INTO offer_key (number, app_id, key_id, public_key, origin, made_real_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """,
            [
                .integer(try next("offer_key")), .integer(app.rawValue), .text(id),
                .blob(publicKeyInfo), .text(origin.rawValue), .integer(realNow.milliseconds),
            ])
    }

    /// Gives a key of a catalogue file the public half that the file has now.
    borrowing func replaceOfferKey(
        _ id: String, publicKeyInfo: [UInt8], of app: AppID, realNow: Timestamp
    ) throws {
        try execute(
            """
            UPDATE offer_key SET public_key = ?3, made_real_ms = ?4
            WHERE app_id = ?1 AND key_id = ?2
            """,
            [
                .integer(app.rawValue), .text(id), .blob(publicKeyInfo),
                .integer(realNow.milliseconds),
            ])
    }

    /// Revokes a key; nil when the app has none of this identifier.
    borrowing func revokeOfferKey(
        _ id: String, of app: AppID, realNow: Timestamp
    ) throws -> OfferKeyRow? {
        try row(
            """
            UPDATE offer_key SET revoked_real_ms = coalesce(revoked_real_ms, ?3)
            WHERE app_id = ?1 AND key_id = ?2 RETURNING \(keyColumns)
            """, [.integer(app.rawValue), .text(id), .integer(realNow.milliseconds)]
        ).map { try OfferKeyRow($0) }
    }
}

extension OfferKeyRow {
    /// From `keyColumns`.
    fileprivate init(_ row: Row) throws(DatabaseError) {
        let revokedAt = row.integerOrNil(4).map { Timestamp(milliseconds: $0) }
        self.init(
            key: OfferKey(
                id: row.text(0), publicKeyInfo: row.blob(1), isRevoked: revokedAt != nil),
            origin: try OfferKeyOrigin(stored: row.text(2)),
            madeAt: Timestamp(milliseconds: row.integer(3)), revokedAt: revokedAt)
    }
}
