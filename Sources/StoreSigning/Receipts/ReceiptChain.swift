import StoreModel
import StoreVerification

/// A verified chain whose leaf signs receipts.
final class ReceiptChain: Sendable {
    static let rules = ChainRules(
        signs: "receipts", leafMarker: .receiptSigningMarker,
        intermediateMarker: .intermediateMarker)

    let chain: TrustedChain
    let leafKey: PublicKey
    /// The seal required in the payload of its receipts.
    let seal: WorldSeal

    /// Checks everything but dates, which depend on the receipt.
    init(
        leaf: Certificate, intermediate: Certificate, root: TrustedRoot,
        authorities: TrustedChain.Authorities? = nil
    ) throws(VerificationRefusal) {
        do throws(ChainProblem) {
            chain = try TrustedChain(
                leaf: leaf, intermediate: intermediate, root: root, by: Self.rules,
                authorities: authorities)
        } catch {
            throw .notAuthentic(error.text)
        }
        guard let key = PublicKey(info: leaf.publicKeyInfo) else {
            throw .notAuthentic("The leaf certificate has no RSA key of 2048 bits or more.")
        }
        leafKey = key
        seal = WorldSeal(
            worldID: chain.worldID, environment: root.environment, isTest: root.isTest)
    }
}
