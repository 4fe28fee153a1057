import StoreModel

/// A chain that is ready to issue leaves for signed data and to sign under them.
struct SignedDataChain: Sendable {
    /// The name in Apple's leaf, of both environments.
    static let leafName = "Prod ECC Mac App Store and iTunes Store Receipt Signing"

    let root: TrustedRoot
    private let intermediate: Certificate
    /// Read when a leaf is made: OpenSSL takes milliseconds to check a key on P-384, and most
    /// worlds never sign data.
    private let intermediateKeyText: [UInt8]
    private let leafKey: CurvePrivateKey
    private let leafKeyInfo: [UInt8]
    private let authorities: TrustedChain.Authorities?

    /// Built from the contents of the chain's files.
    init(_ name: ChainName, files: [String: [UInt8]]) throws {
        root = TrustedRoot(
            name.environment, isTest: name.isTest, der: try files.bytes(name.dataRootFile))
        intermediate = try Certificate(try files.bytes(name.dataIntermediateFile))
        intermediateKeyText = try files.bytes(name.dataIntermediateKeyFile)
        leafKey = try CurvePrivateKey(pem: try files.bytes(name.dataLeafKeyFile))
        leafKeyInfo = try leafKey.publicKeyInfo()
        authorities = TrustedChain.Authorities(root: root, intermediate: intermediate)
    }

    /// A new leaf certificate (DER) that names a world.
    ///
    /// Different each time, as signatures of ECDSA are, so a world keeps its own.
    func makeLeaf(worldID: String) throws -> [UInt8] {
        try IssuingChain.check(worldID: worldID)
        return try CertificateTemplate.leaf(
            IssuingChain.name(Self.leafName, ofWorld: worldID), publicKeyInfo: leafKeyInfo,
            below: intermediate, policy: .receiptSigningPolicy,
            marker: .receiptSigningMarker
        ).signed(by: try CurvePrivateKey(pem: intermediateKeyText, on: .p384))
    }

    /// A signer under a leaf of this chain; refuses any other certificate.
    func signer(leaf der: [UInt8]) throws -> SignedDataSigner {
        let leaf: Certificate
        do {
            leaf = try Certificate(der)
            _ = try TrustedDataSigner(
                leaf: leaf, intermediate: intermediate, root: root, authorities: authorities)
        } catch {
            throw SigningFailure(
                .damaged,
                "The leaf certificate of signed data was not made by this store's keys: \(error)",
                advice: MarkedFiles.restoring)
        }
        guard leaf.publicKeyInfo == leafKeyInfo else {
            throw SigningFailure(
                .damaged, "The leaf certificate of signed data is for another key.",
                advice: MarkedFiles.restoring)
        }
        return try SignedDataSigner(
            leaf: leaf, above: [intermediate.der, root.der], key: leafKey)
    }
}
