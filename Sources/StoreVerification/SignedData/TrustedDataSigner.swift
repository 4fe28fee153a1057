/// A verified chain whose leaf signs data.
package final class TrustedDataSigner: Sendable {
    package static let rules = ChainRules(
        signs: "data", leafMarker: .receiptSigningMarker, intermediateMarker: .intermediateMarker)

    package let chain: TrustedChain
    package let key: CurvePublicKey

    /// Checks everything but dates, which depend on the data.
    package init(
        leaf: Certificate, intermediate: Certificate, root: TrustedRoot,
        authorities: TrustedChain.Authorities? = nil
    ) throws(ChainProblem) {
        chain = try TrustedChain(
            leaf: leaf, intermediate: intermediate, root: root, by: Self.rules,
            authorities: authorities)
        guard let key = CurvePublicKey(info: leaf.publicKeyInfo) else {
            throw ChainProblem("The leaf certificate has no key on the curve P-256.")
        }
        self.key = key
    }
}
