import StoreModel
import StoreVerification

/// The certificate of a transaction receipt, verified up to one of our roots.
final class TrustedTransactionSigner: Sendable {
    let seal: WorldSeal
    let key: PublicKey
    private let certificates: [Certificate]

    /// Checks everything but dates, which depend on the receipt.
    init(leaf: Certificate, authority: TransactionAuthority) throws(VerificationRefusal) {
        guard leaf.isCertificateAuthority == false else {
            throw .notAuthentic("The certificate belongs to an authority.")
        }
        guard leaf.has(.transactionSigningMarker) else {
            throw .notAuthentic(
                "The certificate may not sign transaction receipts: its marker is missing.")
        }
        guard leaf.organizationalUnits.count == 1 else {
            throw .notAuthentic("The certificate does not name one world.")
        }
        guard let root = X509Certificate(authority.root.der),
            let middle = X509Certificate(authority.certificate.der),
            let bottom = X509Certificate(leaf.der)
        else { throw .notAuthentic("A certificate cannot be read.") }
        // The authority and the root are known to be ours; the short key is the leaf's.
        if let problem = bottom.chainProblem(intermediate: middle, root: root, level: 1) {
            throw .notAuthentic("The certificate does not lead to the root: \(problem).")
        }
        guard
            let key = PublicKey(info: leaf.publicKeyInfo, bitsMin: PrivateKey.shortRSABits)
        else {
            throw .notAuthentic(
                "The certificate has no RSA key of \(PrivateKey.shortRSABits) bits or more.")
        }
        self.key = key
        seal = WorldSeal(
            worldID: leaf.organizationalUnits[0], environment: authority.root.environment,
            isTest: authority.root.isTest)
        certificates = [leaf, authority.certificate]
    }

    /// Whether its certificates are valid at a moment.
    func isValid(at moment: Timestamp) -> Bool {
        certificates.allSatisfy { $0.isValid(at: moment) }
    }
}
