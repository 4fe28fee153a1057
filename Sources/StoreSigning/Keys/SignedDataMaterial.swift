import StoreVerification

/// The keys and certificates of a new chain for signed data.
struct SignedDataMaterial {
    private let rootKey: CurvePrivateKey
    private let intermediateKey: CurvePrivateKey
    private let leafKey: CurvePrivateKey
    private let root: [UInt8]
    private let intermediate: [UInt8]

    /// Created under a root of its own: the root of receipts has an RSA key, and Apple's root of
    /// signed data one on P-384. Takes some milliseconds.
    init(_ name: ChainName) throws {
        rootKey = try CurvePrivateKey.make(on: .p384)
        intermediateKey = try CurvePrivateKey.make(on: .p384)
        leafKey = try CurvePrivateKey.make(on: .p256)
        root = try CertificateTemplate.root(
            IssuingChain.name("\(name.title) Signed Data Root CA"),
            publicKeyInfo: try rootKey.publicKeyInfo()
        ).signed(by: rootKey)
        intermediate = try CertificateTemplate.authority(
            Self.intermediateName(name),
            publicKeyInfo: try intermediateKey.publicKeyInfo(), below: try Certificate(root),
            marker: .intermediateMarker
        ).signed(by: rootKey)
    }

    static func intermediateName(_ name: ChainName) -> DistinguishedName {
        IssuingChain.name("\(name.title) Signed Data Intermediate CA")
    }

    func files(of name: ChainName) throws -> [String: [UInt8]] {
        [
            name.dataRootKeyFile: try rootKey.pem(),
            name.dataIntermediateKeyFile: try intermediateKey.pem(),
            name.dataLeafKeyFile: try leafKey.pem(),
            name.dataIntermediateFile: intermediate,
            name.dataRootFile: root,
            name.dataRootTextFile: ChainMaterial.pem(root),
        ]
    }
}
