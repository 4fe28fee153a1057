package import StoreModel
import StoreVerification

/// What a responder says of a certificate.
package enum CertificateStatus: Hashable, Sendable {
    case good
    case revoked(at: Timestamp, CertificateRevocationReason)
    /// This responder knows nothing of it.
    case unknown
}

/// Answers which certificates of a chain for signed data are good, from any thread.
///
/// It signs with a key of its own, which lives as long as this process: root and intermediate each
/// certify it for this purpose, and an answer contains the certificate. Apple's libraries need it
/// so: one of them accepts no answer that an authority signs itself, another finds the signer only by
/// the digest of its key.
/// Source: RFC 6960.
package final class OCSPResponder: Sendable {
    /// The longest request that is read. One about one certificate has about 110 bytes.
    package static let requestBytesMax = 4_096
    /// How long an answer is good: as long as Apple's libraries keep what they found.
    static let answerMilliseconds: Int64 = 900_000

    /// An authority of the chain, for whose certificates this responder answers.
    struct Authority: Sendable {
        let issues: DataCertificateRole
        let certificate: Certificate
        /// The responder's own, issued by the authority.
        let responder: [UInt8]

        fileprivate func issued(_ id: OCSPCertificateID) -> Bool {
            guard let digest = id.digest, let key = try? certificate.publicKeyBits() else {
                return false
            }
            return digest.hash(certificate.subject) == id.issuerNameHash
                && digest.hash(key) == id.issuerKeyHash
        }
    }

    private let authorities: [Authority]
    private let key: CurvePrivateKey
    private let keyID: [UInt8]

    init(authorities: [Authority], key: CurvePrivateKey) throws {
        self.authorities = authorities
        self.key = key
        keyID = try CertificateTemplate.keyIdentifier(ofPublicKeyInfo: try key.publicKeyInfo())
    }

    /// The answer (DER) to a request; `status` is asked for each certificate that it is about, by the
    /// serial number in hexadecimal.
    ///
    /// One signature covers an answer, so it is about the certificates of one issuer, and leaves out
    /// any others in the request: openssl believes no answer that is about both. `now` is real time:
    /// clients compare it with their clocks.
    package func answer(
        to der: [UInt8], at now: Timestamp,
        _ status: (DataCertificateRole, _ serial: String) throws -> CertificateStatus
    ) throws -> [UInt8] {
        guard der.count <= Self.requestBytesMax, let request = try? OCSPRequest(der) else {
            return Self.failure(.malformedRequest)
        }
        let known = request.certificates.lazy.compactMap { id in
            self.authorities.first { $0.issued(id) }
        }
        guard let authority = known.first else { return Self.failure(.unauthorized) }
        let answers = try request.certificates.filter(authority.issued).map { id in
            Self.answer(
                about: id, try status(authority.issues, serialText(ofNumber: id.serial)), at: now)
        }
        let data = DERWriter.sequence(
            DERWriter.element(
                .context(2, constructed: true), DERWriter.octetString(keyID)),
            DERWriter.generalizedTime(now), DERWriter.element(.sequence, parts: answers),
            request.nonce.map(Self.extensions) ?? [])
        let basic = DERWriter.sequence(
            data, DERWriter.sequence(DERWriter.objectIdentifier(.ecdsaWithSHA256)),
            DERWriter.bitString(try key.derSignature(over: data, by: .sha256)),
            DERWriter.element(
                .context(0, constructed: true), DERWriter.sequence(authority.responder)))
        return DERWriter.sequence(
            Self.status(.successful),
            DERWriter.element(
                .context(0, constructed: true),
                DERWriter.sequence(
                    DERWriter.objectIdentifier(.ocspBasicResponse),
                    DERWriter.octetString(basic))))
    }

    /// The answer to what is not a request; nobody signs it.
    package static var malformedRequest: [UInt8] { failure(.malformedRequest) }

    /// The status of the whole answer. Source: RFC 6960, 4.2.1.
    private enum ResponseStatus: UInt8 {
        case successful = 0
        case malformedRequest = 1
        /// About certificates of other issuers alone.
        case unauthorized = 6
    }

    private static func status(_ status: ResponseStatus) -> [UInt8] {
        DERWriter.element(.enumerated, [status.rawValue])
    }

    private static func failure(_ status: ResponseStatus) -> [UInt8] {
        DERWriter.sequence(self.status(status))
    }

    private static func answer(
        about id: OCSPCertificateID, _ status: CertificateStatus, at now: Timestamp
    ) -> [UInt8] {
        let said =
            switch status {
            case .good: DERWriter.element(.context(0, constructed: false), [])
            case .unknown: DERWriter.element(.context(2, constructed: false), [])
            case .revoked(let time, let reason):
                DERWriter.element(
                    .context(1, constructed: true),
                    parts: [
                        DERWriter.generalizedTime(time),
                        // An unspecified reason is left out (RFC 5280, 5.3.1).
                        reason == .unspecified
                            ? []
                            : DERWriter.element(
                                .context(0, constructed: true),
                                DERWriter.element(.enumerated, [reason.number])),
                    ])
            }
        let next = now.adding(milliseconds: answerMilliseconds)
        return DERWriter.sequence(
            id.der, said, DERWriter.generalizedTime(now),
            DERWriter.element(.context(0, constructed: true), DERWriter.generalizedTime(next)))
    }

    private static func extensions(_ nonce: [UInt8]) -> [UInt8] {
        DERWriter.element(
            .context(1, constructed: true),
            DERWriter.sequence(CertificateExtension(.ocspNonce, value: nonce).der))
    }
}
