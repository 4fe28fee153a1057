import Synchronization

/// An authority under one of the store's roots, which certifies who signs transaction receipts.
package struct TransactionAuthority: Hashable, Sendable {
    package let root: TrustedRoot
    package let certificate: Certificate

    package init(root: TrustedRoot, certificate: Certificate) {
        self.root = root
        self.certificate = certificate
    }
}

/// The authorities that transaction receipts may lead to; some can come, and none goes.
///
/// A receipt carries its signer's certificate alone, so these must be known beforehand.
package final class TransactionAuthorities: Sendable {
    private let authorities: Mutex<[TransactionAuthority]>

    package init(_ authorities: [TransactionAuthority]) {
        self.authorities = Mutex(authorities)
    }

    package func add(_ authority: TransactionAuthority) {
        authorities.withLock { if !$0.contains(authority) { $0.append(authority) } }
    }

    /// The one whose name (DER) a certificate gives as its issuer's.
    func authority(named issuer: [UInt8]) -> TransactionAuthority? {
        authorities.withLock { $0.first { $0.certificate.subject == issuer } }
    }
}
