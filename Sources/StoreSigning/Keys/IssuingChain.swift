import StoreModel
import StoreVerification

/// A chain that is ready to issue leaves and to sign receipts.
struct IssuingChain: Sendable {
    static let leafName = "Mac App Store and iTunes Store Receipt Signing"
    static let organization = "Bodega"

    let root: TrustedRoot
    let intermediate: Certificate
    private let intermediateKey: PrivateKey
    private let leafKey: PrivateKey
    private let leafKeyInfo: [UInt8]
    private let authorities: TrustedChain.Authorities?

    /// Built from the contents of the chain's files.
    init(_ name: ChainName, files: [String: [UInt8]]) throws {
        root = TrustedRoot(
            name.environment, isTest: name.isTest, der: try files.bytes(name.rootFile))
        intermediate = try Certificate(try files.bytes(name.intermediateFile))
        intermediateKey = try PrivateKey(pem: try files.bytes(name.intermediateKeyFile))
        leafKey = try PrivateKey(pem: try files.bytes(name.leafKeyFile))
        leafKeyInfo = try leafKey.publicKeyInfo()
        authorities = TrustedChain.Authorities(root: root, intermediate: intermediate)
    }

    /// A new leaf certificate (DER) that names a world.
    func makeLeaf(worldID: String) throws -> [UInt8] {
        try Self.check(worldID: worldID)
        let template = try CertificateTemplate.leaf(
            Self.name(Self.leafName, ofWorld: worldID), publicKeyInfo: leafKeyInfo,
            below: intermediate, policy: .receiptSigningPolicy,
            marker: .receiptSigningMarker)
        return try template.signed(by: intermediateKey)
    }

    /// The name of a certificate of any family, which may name a world.
    static func name(_ commonName: String, ofWorld worldID: String? = nil) -> DistinguishedName {
        DistinguishedName(
            organization: organization, organizationalUnit: worldID, commonName: commonName)
    }

    /// Refuses an identifier that a certificate cannot name.
    static func check(worldID: String) throws {
        guard (1...DistinguishedName.textLengthMax).contains(worldID.utf8.count),
            worldID.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw SigningFailure(
                .invalidValue,
                "A world's identifier has 1 to \(DistinguishedName.textLengthMax) visible ASCII "
                    + "characters.")
        }
    }

    /// A signer under a leaf of this chain; refuses any other certificate.
    func signer(leaf der: [UInt8]) throws -> ReceiptSigner {
        let leaf: Certificate
        let chain: ReceiptChain
        do {
            leaf = try Certificate(der)
            chain = try ReceiptChain(
                leaf: leaf, intermediate: intermediate, root: root, authorities: authorities)
        } catch {
            throw SigningFailure(
                .damaged, "The leaf certificate was not made by this store's keys: \(error)",
                advice: MarkedFiles.restoring)
        }
        guard leaf.publicKeyInfo == leafKeyInfo else {
            throw SigningFailure(
                .damaged, "The leaf certificate is for another key.",
                advice: MarkedFiles.restoring)
        }
        return ReceiptSigner(
            seal: chain.seal, leaf: leaf, above: [intermediate.der, root.der], key: leafKey)
    }
}
