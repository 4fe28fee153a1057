import StoreDatabase
import StoreModel
import StoreRules

/// The owner of a shared secret.
enum SecretOwner: Sendable {
    case developer(DeveloperID)
    case app(AppID)
}

/// A shared secret's row, without its digest.
struct SecretRow: Sendable {
    let id: SecretID
    let madeAt: Timestamp
    let term: SecretTerm
}

extension ReadScope {
    /// An owner's secrets, newest first.
    borrowing func secrets(of owner: SecretOwner, countMax: Int) throws -> [SecretRow] {
        try rows(
            """
            SELECT number, made_real_ms, accepted_until_real_ms, revoked_real_ms
            FROM shared_secret WHERE \(owner.column) = ?1 ORDER BY number DESC LIMIT ?2
            """, [owner.row, countMax]
        ).map { try SecretRow($0) }
    }

    /// All accepted secrets of an owner, by the same rule as for `verifyReceipt`.
    borrowing func acceptedSecrets(
        of owner: SecretOwner, realNow: Timestamp
    ) throws -> [SecretRow] {
        try rows(
            """
            SELECT number, made_real_ms, accepted_until_real_ms, revoked_real_ms
            FROM shared_secret WHERE \(owner.column) = ?1 AND revoked_real_ms IS NULL
                AND (accepted_until_real_ms IS NULL OR accepted_until_real_ms > ?2)
            ORDER BY number
            """, [owner.row, realNow]
        ).map { try SecretRow($0) }
    }

    /// How many secrets of an owner are kept, whatever their state.
    borrowing func secretCount(of owner: SecretOwner) throws -> Int64 {
        try value(
            "SELECT count(*) FROM shared_secret WHERE \(owner.column) = ?1", [owner.row]) ?? 0
    }

    /// The digests of the secrets accepted as `password` for a receipt of an app: its own, and
    /// those of the developer account that owns it.
    borrowing func acceptedSecretDigests(
        forBundleID bundleID: String, realNow: Timestamp
    ) throws -> [[UInt8]] {
        try rows(
            """
            SELECT number, made_real_ms, accepted_until_real_ms, revoked_real_ms, digest
            FROM shared_secret JOIN app
                ON app.id = shared_secret.app_id OR app.developer_id = shared_secret.developer_id
            WHERE app.bundle_id = ?1 AND revoked_real_ms IS NULL
                AND (accepted_until_real_ms IS NULL OR accepted_until_real_ms > ?2)
            """, [bundleID, realNow]
        ).filter { SecretRules.isAccepted(try SecretRow($0).term, now: realNow) }
            .map { try $0["digest"] }
    }
}

extension WriteScope {
    borrowing func addSecret(
        digest: [UInt8], of owner: SecretOwner, realNow: Timestamp
    ) throws -> SecretID {
        let number = try next("shared_secret")
        try execute(
            """
            INSERT INTO shared_secret (number, \(owner.column), digest, made_real_ms)
            VALUES (?1, ?2, ?3, ?4)
            """, [number, owner.row, digest, realNow])
        return SecretID(number)
    }

    borrowing func endSecret(_ id: SecretID, at time: Timestamp) throws {
        try execute(
            "UPDATE shared_secret SET accepted_until_real_ms = ?2 WHERE number = ?1", [id, time])
    }

    /// Revokes a secret of an owner; nil when that owner has none with this number.
    borrowing func revokeSecret(
        _ number: Int64, of owner: SecretOwner, realNow: Timestamp
    ) throws -> SecretRow? {
        try row(
            """
            UPDATE shared_secret SET revoked_real_ms = coalesce(revoked_real_ms, ?3)
            WHERE number = ?1 AND \(owner.column) = ?2
            RETURNING number, made_real_ms, accepted_until_real_ms, revoked_real_ms
            """, [number, owner.row, realNow]
        ).map { try SecretRow($0) }
    }
}

extension SecretOwner {
    fileprivate var column: String {
        switch self {
        case .developer: "developer_id"
        case .app: "app_id"
        }
    }

    fileprivate var row: Int64 {
        switch self {
        case .developer(let id): id.rawValue
        case .app(let id): id.rawValue
        }
    }
}

extension SecretRow {
    /// From the columns number, made_real_ms, accepted_until_real_ms, revoked_real_ms.
    fileprivate init(_ row: Row) throws {
        self.init(
            id: try row["number"], madeAt: try row["made_real_ms"],
            term: SecretTerm(
                acceptedUntil: try row["accepted_until_real_ms"],
                revokedAt: try row["revoked_real_ms"]))
    }
}
