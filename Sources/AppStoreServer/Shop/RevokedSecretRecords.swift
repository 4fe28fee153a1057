import StoreDatabase
import StoreModel

/// A shared secret that was revoked, and when.
struct RevokedSecret: Sendable {
    let digest: [UInt8]
    let at: Timestamp
}

extension ReadScope {
    /// The secrets that were revoked in this world and in those it replaced.
    borrowing func revokedSecrets() throws -> [RevokedSecret] {
        try rows(
            """
            SELECT digest, revoked_real_ms FROM shared_secret WHERE revoked_real_ms IS NOT NULL
            UNION
            SELECT digest, revoked_real_ms FROM revoked_secret
            """
        ).map {
            RevokedSecret(digest: try $0["digest"], at: try $0["revoked_real_ms"])
        }
    }
}

extension WriteScope {
    /// Takes over the secrets revoked in the previous world: revokes those that this world has, and
    /// remembers all of them for its successor.
    borrowing func takeOver(_ secrets: [RevokedSecret]) throws {
        for secret in secrets {
            let values: [any ColumnValue] = [secret.digest, secret.at]
            try execute(
                """
                INSERT INTO revoked_secret (digest, revoked_real_ms) VALUES (?1, ?2)
                ON CONFLICT (digest) DO NOTHING
                """, values)
            try execute(
                """
                UPDATE shared_secret SET revoked_real_ms = ?2
                WHERE digest = ?1 AND revoked_real_ms IS NULL
                """, values)
        }
    }
}
