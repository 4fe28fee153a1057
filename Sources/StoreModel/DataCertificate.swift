/// The place of a world's own certificate in the chain of its signed data, below the root.
package enum DataCertificateRole: String, Codable, CaseIterable, Sendable {
    /// Signs data.
    case leaf
    /// Certifies the leaf.
    case intermediate
}

/// Why a certificate was revoked, as an OCSP answer gives it. Source: RFC 5280, 5.3.1, without those
/// that can be taken back.
package enum CertificateRevocationReason: String, Codable, CaseIterable, Sendable {
    case unspecified
    case keyCompromise
    case caCompromise
    case affiliationChanged
    case superseded
    case cessationOfOperation
    case privilegeWithdrawn

    /// The number of a CRLReason.
    package var number: UInt8 {
        switch self {
        case .unspecified: 0
        case .keyCompromise: 1
        case .caCompromise: 2
        case .affiliationChanged: 3
        case .superseded: 4
        case .cessationOfOperation: 5
        case .privilegeWithdrawn: 9
        }
    }
}
