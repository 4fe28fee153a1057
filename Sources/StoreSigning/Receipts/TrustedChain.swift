import StoreModel

/// A chain of three certificates that was checked up to a root of ours.
final class TrustedChain: Sendable {
    let root: TrustedRoot
    let worldID: String
    let leafIssuer: [UInt8]
    let leafSerial: [UInt8]
    let leafKey: PublicKey
    private let certificates: [Certificate]

    /// Checks everything but dates, which depend on the receipt.
    init(
        leaf: Certificate, intermediate: Certificate, root: TrustedRoot
    ) throws(ReceiptRefusal) {
        let rootCertificate: Certificate
        do { rootCertificate = try Certificate(root.der) } catch {
            throw .notAuthentic("The root certificate cannot be read: \(error).")
        }
        try Self.checkRoles(leaf: leaf, intermediate: intermediate)
        guard leaf.organizationalUnits.count == 1 else {
            throw .notAuthentic("The leaf certificate does not name one world.")
        }
        guard let top = X509Certificate(root.der), let middle = X509Certificate(intermediate.der),
            let bottom = X509Certificate(leaf.der)
        else { throw .notAuthentic("A certificate cannot be read.") }
        if let problem = bottom.chainProblem(intermediate: middle, root: top) {
            throw .notAuthentic("The certificates do not lead to the root: \(problem).")
        }
        guard let key = bottom.publicKey() else {
            throw .notAuthentic("The leaf certificate has no RSA key of 2048 bits or more.")
        }
        certificates = [leaf, intermediate, rootCertificate]
        self.root = root
        worldID = leaf.organizationalUnits[0]
        leafIssuer = leaf.issuer
        leafSerial = leaf.serial
        leafKey = key
    }

    private static func checkRoles(
        leaf: Certificate, intermediate: Certificate
    ) throws(ReceiptRefusal) {
        guard leaf.isCertificateAuthority == false else {
            throw .notAuthentic("The leaf certificate is one of an authority.")
        }
        guard leaf.has(.receiptSigningMarker) else {
            throw .notAuthentic(
                "The leaf certificate may not sign receipts: its marker is missing.")
        }
        guard intermediate.isCertificateAuthority == true else {
            throw .notAuthentic("The intermediate certificate is not one of an authority.")
        }
        guard intermediate.has(.intermediateMarker) else {
            throw .notAuthentic("The intermediate certificate's marker is missing.")
        }
    }

    /// Whether all three certificates are valid then.
    func isValid(at moment: Timestamp) -> Bool {
        certificates.allSatisfy { $0.isValid(at: moment) }
    }
}
