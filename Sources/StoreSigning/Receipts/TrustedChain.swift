import StoreModel

/// A chain of three certificates that was verified up to one of our roots.
final class TrustedChain: Sendable {
    let root: TrustedRoot
    let worldID: String
    let leafIssuer: [UInt8]
    let leafSerial: [UInt8]
    let leafKey: PublicKey
    /// The seal required in the payload of its receipts.
    let seal: WorldSeal
    private let certificates: [Certificate]

    /// A root and its intermediate, parsed: OpenSSL takes 0.1 ms for each.
    struct Authorities: Sendable {
        let root: X509Certificate
        let intermediate: X509Certificate

        /// Nil when OpenSSL cannot read one of them.
        init?(root: TrustedRoot, intermediate: Certificate) {
            guard let top = X509Certificate(root.der),
                let middle = X509Certificate(intermediate.der)
            else { return nil }
            self.root = top
            self.intermediate = middle
        }
    }

    /// Checks everything but dates, which depend on the receipt.
    ///
    /// `authorities` are the intermediate and the root, if the caller has them at hand.
    init(
        leaf: Certificate, intermediate: Certificate, root: TrustedRoot,
        authorities: Authorities? = nil
    ) throws(ReceiptRefusal) {
        let rootCertificate: Certificate
        do { rootCertificate = try Certificate(root.der) } catch {
            throw .notAuthentic("The root certificate cannot be read: \(error).")
        }
        try Self.checkRoles(leaf: leaf, intermediate: intermediate)
        guard leaf.organizationalUnits.count == 1 else {
            throw .notAuthentic("The leaf certificate does not name one world.")
        }
        guard let above = authorities ?? Authorities(root: root, intermediate: intermediate),
            let bottom = X509Certificate(leaf.der)
        else { throw .notAuthentic("A certificate cannot be read.") }
        if let problem = bottom.chainProblem(
            intermediate: above.intermediate, root: above.root)
        {
            throw .notAuthentic("The certificates do not lead to the root: \(problem).")
        }
        guard let key = bottom.publicKey() else {
            throw .notAuthentic("The leaf certificate has no RSA key of 2048 bits or more.")
        }
        certificates = [leaf, intermediate, rootCertificate]
        self.root = root
        worldID = leaf.organizationalUnits[0]
        seal = WorldSeal(worldID: worldID, environment: root.environment, isTest: root.isTest)
        leafIssuer = leaf.issuer
        leafSerial = leaf.serial
        leafKey = key
    }

    private static func checkRoles(
        leaf: Certificate, intermediate: Certificate
    ) throws(ReceiptRefusal) {
        guard leaf.isCertificateAuthority == false else {
            throw .notAuthentic("The leaf certificate belongs to an authority.")
        }
        guard leaf.has(.receiptSigningMarker) else {
            throw .notAuthentic(
                "The leaf certificate may not sign receipts: its marker is missing.")
        }
        guard intermediate.isCertificateAuthority == true else {
            throw .notAuthentic("The intermediate certificate does not belong to an authority.")
        }
        guard intermediate.has(.intermediateMarker) else {
            throw .notAuthentic("The intermediate certificate's marker is missing.")
        }
    }

    /// Whether all three certificates are valid at a moment.
    func isValid(at moment: Timestamp) -> Bool {
        certificates.allSatisfy { $0.isValid(at: moment) }
    }
}
