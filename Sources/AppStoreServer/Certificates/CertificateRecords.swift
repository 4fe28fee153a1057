import StoreDatabase
import StoreModel
import StoreSigning
import StoreVerification

/// A certificate of a world's signed data. All times are real.
struct DataCertificate: Sendable {
    let number: Int64
    let environment: StoreEnvironment
    let role: DataCertificateRole
    /// In hexadecimal, as other tools show it.
    let serial: String
    let der: [UInt8]
    let keyNumber: Int64
    /// The address of its OCSP responder.
    let responder: String
    let madeAt: Timestamp
    /// When the owner put another in its place; it is not used from then on.
    let replacedAt: Timestamp?
    let revokedAt: Timestamp?
    let revocationReason: CertificateRevocationReason?

    /// As a responder tells it.
    var status: CertificateStatus {
        revokedAt.map { .revoked(at: $0, revocationReason ?? .unspecified) } ?? .good
    }

    fileprivate init(_ row: Row) throws {
        number = try row["number"]
        environment = try row["environment"]
        role = try row["role"]
        serial = try row["serial"]
        der = try row["der"]
        keyNumber = try row["key_number"]
        responder = try row["responder"]
        madeAt = try row["made_real_ms"]
        replacedAt = try row["replaced_real_ms"]
        revokedAt = try row["revoked_real_ms"]
        revocationReason = try row["revocation_reason"]
    }
}

/// A certificate that was made and is not stored yet.
struct NewDataCertificate: Sendable {
    let certificate: Certificate
    let terms: DataCertificateTerms
    let responder: String
    let madeAt: Timestamp
    /// That whose state it goes on with.
    let predecessor: DataCertificate?
}

extension ReadScope {
    /// Those that are known, the newest first.
    borrowing func dataCertificates() throws -> [DataCertificate] {
        try rows("SELECT * FROM data_certificate ORDER BY number DESC").map {
            try DataCertificate($0)
        }
    }

    /// Those of a role that no other replaced, the newest first. They are alike but for the address of
    /// their responder.
    borrowing func dataCertificatesInUse(
        as role: DataCertificateRole, in environment: StoreEnvironment
    ) throws -> [DataCertificate] {
        try rows(
            """
            SELECT * FROM data_certificate
            WHERE environment = ?1 AND role = ?2 AND replaced_real_ms IS NULL
            ORDER BY number DESC
            """, [environment, role]
        ).map { try DataCertificate($0) }
    }

    borrowing func dataCertificate(
        serial: String, as role: DataCertificateRole, in environment: StoreEnvironment
    ) throws -> DataCertificate? {
        try row(
            """
            SELECT * FROM data_certificate WHERE environment = ?1 AND role = ?2 AND serial = ?3
            """, [environment, role, serial]
        ).map { try DataCertificate($0) }
    }
}

extension WriteScope {
    /// Stores a certificate, and forgets the oldest beyond their number: nobody knows them then.
    borrowing func add(
        _ new: NewDataCertificate, as role: DataCertificateRole, in environment: StoreEnvironment
    ) throws {
        try insert(
            into: "data_certificate",
            [
                "number": try next("data_certificate"), "environment": environment, "role": role,
                "serial": new.certificate.serialText, "der": new.certificate.der,
                "key_number": new.terms.keyNumber, "responder": new.responder,
                "made_real_ms": new.madeAt, "revoked_real_ms": new.predecessor?.revokedAt,
                "revocation_reason": new.predecessor?.revocationReason,
            ])
        try execute(
            """
            DELETE FROM data_certificate
            WHERE environment = ?1 AND role = ?2 AND number <= (
                SELECT number FROM data_certificate WHERE environment = ?1 AND role = ?2
                ORDER BY number DESC LIMIT 1 OFFSET ?3)
            """, [environment, role, Limits.certificatesKeptMax])
    }

    /// Takes those of a role out of use.
    borrowing func replaceDataCertificates(
        as role: DataCertificateRole, in environment: StoreEnvironment, at now: Timestamp
    ) throws {
        try execute(
            """
            UPDATE data_certificate SET replaced_real_ms = ?3
            WHERE environment = ?1 AND role = ?2 AND replaced_real_ms IS NULL
            """, [environment, role, now])
    }

    /// Revokes a certificate, with those that it is alike if it is in use; one that was revoked before
    /// stays as it is.
    borrowing func revoke(
        _ one: DataCertificate, for reason: CertificateRevocationReason, at now: Timestamp
    ) throws {
        try execute(
            """
            UPDATE data_certificate SET revoked_real_ms = ?4, revocation_reason = ?5
            WHERE environment = ?1 AND role = ?2 AND revoked_real_ms IS NULL
                AND (number = ?3 OR (?6 <> 0 AND replaced_real_ms IS NULL))
            """,
            [
                one.environment, one.role, one.number, now, reason,
                one.replacedAt == nil ? 1 : 0,
            ])
    }
}
