import StoreModel
import StoreVerification

/// The keys and the certificate of a new authority for transaction receipts.
struct TransactionChainMaterial {
    private let authorityKey: PrivateKey
    private let leafKey: PrivateKey
    private let authority: [UInt8]

    /// Created under an existing root; takes about 0.2 s.
    init(_ name: ChainName, root: Certificate, rootKey: PrivateKey) throws {
        authorityKey = try PrivateKey.makeRSA()
        leafKey = try PrivateKey.makeRSA(bits: PrivateKey.shortRSABits)
        authority = try CertificateTemplate.authority(
            IssuingChain.name("\(name.title) iTunes Store Certification Authority"),
            publicKeyInfo: try authorityKey.publicKeyInfo(), below: root
        ).signed(by: rootKey)
    }

    func files(of name: ChainName) throws -> [String: [UInt8]] {
        [
            name.transactionAuthorityKeyFile: try authorityKey.pem(),
            name.transactionLeafKeyFile: try leafKey.pem(),
            name.transactionAuthorityFile: authority,
            name.transactionAuthorityTextFile: ChainMaterial.pem(authority),
        ]
    }
}
