package import StoreModel

/// A certificate of a world's signed data. All times are by the real clock.
package struct CertificateBody: Codable, Hashable, Sendable {
    package let environment: StoreEnvironment
    package let role: DataCertificateRole
    /// In hexadecimal, as other tools show it.
    package let serial: String
    /// Whether data are signed under it now.
    package let isInUse: Bool
    package let madeAt: Timestamp
    package let notAfter: Timestamp
    /// Present when its owner put another in its place.
    package let replacedAt: Timestamp?
    /// Present when it was revoked, with the reason.
    package let revokedAt: Timestamp?
    package let reason: CertificateRevocationReason?
    /// The address at which verifiers ask for its status.
    package let ocspUrl: String
    /// In PEM.
    package let certificate: String

    package init(
        environment: StoreEnvironment, role: DataCertificateRole, serial: String, isInUse: Bool,
        madeAt: Timestamp, notAfter: Timestamp, replacedAt: Timestamp?, revokedAt: Timestamp?,
        reason: CertificateRevocationReason?, ocspUrl: String, certificate: String
    ) {
        self.environment = environment
        self.role = role
        self.serial = serial
        self.isInUse = isInUse
        self.madeAt = madeAt
        self.notAfter = notAfter
        self.replacedAt = replacedAt
        self.revokedAt = revokedAt
        self.reason = reason
        self.ocspUrl = ocspUrl
        self.certificate = certificate
    }
}

/// `GET /control/v1/certificates`, the newest first.
package struct CertificatesBody: Codable, Hashable, Sendable {
    package let certificates: [CertificateBody]

    package init(certificates: [CertificateBody]) {
        self.certificates = certificates
    }
}

/// `POST …/certificates/{environment}/{role}/revoke`.
package struct RevokeCertificateBody: Codable, Hashable, Sendable {
    /// `unspecified` when absent.
    package var reason: CertificateRevocationReason?
    /// One that is no longer in use; absent for the one that is.
    package var serial: String?

    package init(reason: CertificateRevocationReason? = nil, serial: String? = nil) {
        self.reason = reason
        self.serial = serial
    }
}
