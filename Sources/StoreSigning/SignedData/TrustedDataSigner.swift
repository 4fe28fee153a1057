/// A verified chain whose leaf signs data.
final class TrustedDataSigner: Sendable {
    static let rules = ChainRules(
        signs: "data", leafMarker: .receiptSigningMarker, intermediateMarker: .intermediateMarker)

    let chain: TrustedChain
    let key: CurvePublicKey

    /// Checks everything but dates, which depend on the data.
    init(
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
