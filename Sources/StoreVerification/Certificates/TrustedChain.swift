package import StoreModel

/// The markers that a chain needs to sign one kind of data.
package struct ChainRules: Sendable {
    /// What its leaf may sign, such as `receipts`.
    package let signs: String
    package let leafMarker: OID
    package let intermediateMarker: OID

    package init(signs: String, leafMarker: OID, intermediateMarker: OID) {
        self.signs = signs
        self.leafMarker = leafMarker
        self.intermediateMarker = intermediateMarker
    }
}

/// Why certificates are not a chain that a store's roots vouch for, in a sentence.
package struct ChainProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let text: String
    package var description: String { text }

    package init(_ text: String) {
        self.text = text
    }
}

/// A chain of three certificates that was verified up to one of our roots.
package struct TrustedChain: Sendable {
    package let root: TrustedRoot
    package let leaf: Certificate
    package let worldID: String
    private let above: [Certificate]

    /// A root and its intermediate, parsed: OpenSSL takes 0.1 ms for each.
    package struct Authorities: Sendable {
        let root: X509Certificate
        let intermediate: X509Certificate

        /// Nil when OpenSSL cannot read one of them.
        package init?(root: TrustedRoot, intermediate: Certificate) {
            guard let top = X509Certificate(root.der),
                let middle = X509Certificate(intermediate.der)
            else { return nil }
            self.root = top
            self.intermediate = middle
        }
    }

    /// Checks everything but the leaf's kind of key, and dates, which depend on what it signed.
    ///
    /// `authorities` are the intermediate and the root, if the caller has them at hand.
    package init(
        leaf: Certificate, intermediate: Certificate, root: TrustedRoot, by rules: ChainRules,
        authorities: Authorities? = nil
    ) throws(ChainProblem) {
        let rootCertificate: Certificate
        do { rootCertificate = try Certificate(root.der) } catch {
            throw ChainProblem("The root certificate cannot be read: \(error).")
        }
        try Self.checkRoles(leaf: leaf, intermediate: intermediate, by: rules)
        guard leaf.organizationalUnits.count == 1 else {
            throw ChainProblem("The leaf certificate does not name one world.")
        }
        guard let parsed = authorities ?? Authorities(root: root, intermediate: intermediate),
            let bottom = X509Certificate(leaf.der)
        else { throw ChainProblem("A certificate cannot be read.") }
        if let problem = bottom.chainProblem(
            intermediate: parsed.intermediate, root: parsed.root)
        {
            throw ChainProblem("The certificates do not lead to the root: \(problem).")
        }
        self.root = root
        self.leaf = leaf
        worldID = leaf.organizationalUnits[0]
        above = [intermediate, rootCertificate]
    }

    private static func checkRoles(
        leaf: Certificate, intermediate: Certificate, by rules: ChainRules
    ) throws(ChainProblem) {
        guard leaf.isCertificateAuthority == false else {
            throw ChainProblem("The leaf certificate belongs to an authority.")
        }
        guard leaf.has(rules.leafMarker) else {
            throw ChainProblem(
                "The leaf certificate may not sign \(rules.signs): its marker is missing.")
        }
        guard intermediate.isCertificateAuthority == true else {
            throw ChainProblem("The intermediate certificate does not belong to an authority.")
        }
        guard intermediate.has(rules.intermediateMarker) else {
            throw ChainProblem("The intermediate certificate's marker is missing.")
        }
    }

    /// Whether all three certificates are valid at a moment.
    package func isValid(at moment: Timestamp) -> Bool {
        leaf.isValid(at: moment) && above.allSatisfy { $0.isValid(at: moment) }
    }
}
