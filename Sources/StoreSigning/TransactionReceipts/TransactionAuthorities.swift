import Synchronization
package import StoreVerification

/// An authority under one of the store's roots that certifies signers of transaction receipts.
package struct TransactionAuthority: Hashable, Sendable {
    package let root: TrustedRoot
    package let certificate: Certificate
}

/// The authorities that transaction receipts may lead to; they can be added, never removed.
///
/// A receipt carries only its signer's certificate, so these must be known beforehand.
package final class TransactionAuthorities: Sendable {
    private let authorities: Mutex<[TransactionAuthority]>

    package init(_ authorities: [TransactionAuthority]) {
        self.authorities = Mutex(authorities)
    }

    package func add(_ authority: TransactionAuthority) {
        authorities.withLock { if !$0.contains(authority) { $0.append(authority) } }
    }

    /// The authority that a certificate names (DER) as its issuer.
    func authority(named issuer: [UInt8]) -> TransactionAuthority? {
        authorities.withLock { $0.first { $0.certificate.subject == issuer } }
    }
}
