import StoreModel
import StoreVerification

/// The issuer of transaction-receipt signers: an authority under a chain's root, and the key that
/// all their certificates share.
struct TransactionChain: Sendable {
    static let leafName = "PurchaseReceiptCertificate"
    private static let serialLabel = "Bodega transaction receipt certificate, version 1"
    private static let serialBytes = 16

    let authority: TransactionAuthority
    private let authorityKey: PrivateKey
    private let leafKey: PrivateKey
    private let leafKeyInfo: [UInt8]

    /// Built from the contents of the chain's files.
    init(_ name: ChainName, files: [String: [UInt8]]) throws {
        authority = TransactionAuthority(
            root: TrustedRoot(
                name.environment, isTest: name.isTest, der: try files.bytes(name.rootFile)),
            certificate: try Certificate(try files.bytes(name.transactionAuthorityFile)))
        authorityKey = try PrivateKey(pem: try files.bytes(name.transactionAuthorityKeyFile))
        leafKey = try PrivateKey(pem: try files.bytes(name.transactionLeafKeyFile))
        leafKeyInfo = try leafKey.publicKeyInfo()
    }

    /// A signer under a certificate that names a world.
    ///
    /// The certificate is derived from keys and world, so it is the same after every start and need
    /// not be kept: serial number, dates and the signature's padding are deterministic.
    func signer(worldID: String) throws -> TransactionReceiptSigner {
        try IssuingChain.check(worldID: worldID)
        var template = try CertificateTemplate.leaf(
            IssuingChain.name(Self.leafName, ofWorld: worldID), publicKeyInfo: leafKeyInfo,
            below: authority.certificate, marker: .transactionSigningMarker)
        let named = sha256(Array("\(Self.serialLabel)\u{0}\(worldID)".utf8) + leafKeyInfo)
        template.serial = Array(named.prefix(Self.serialBytes))
        // Positive, and always of the same length.
        template.serial[0] = 0x40 | template.serial[0] & 0x3F
        let leaf = try Certificate(try template.signed(by: authorityKey))
        let seal = WorldSeal(
            worldID: worldID, environment: authority.root.environment,
            isTest: authority.root.isTest)
        return TransactionReceiptSigner(seal: seal, leaf: leaf, key: leafKey)
    }
}
