import Dispatch
import FoundationEssentials
import StoreModel
import Synchronization

/// The keys and certificates of one new chain.
struct ChainMaterial {
    private static let keysPerChain = 3

    let rootKey: PrivateKey
    let intermediateKey: PrivateKey
    let leafKey: PrivateKey
    let root: [UInt8]
    let intermediate: [UInt8]

    /// One chain per name; the keys, which take most of the time, are made on all cores at once.
    static func make(_ names: [ChainName]) throws -> [ChainMaterial] {
        let keys = try makeKeys(names.count * keysPerChain)
        return try names.enumerated().map { index, name in
            try ChainMaterial(name, Array(keys.dropFirst(index * keysPerChain)))
        }
    }

    private static func makeKeys(_ count: Int) throws -> [PrivateKey] {
        let results = Mutex<[Result<PrivateKey, any Error>]>([])
        DispatchQueue.concurrentPerform(iterations: count) { _ in
            let result = Result { try PrivateKey.makeRSA() }
            results.withLock { $0.append(result) }
        }
        return try results.withLock { try $0.map { try $0.get() } }
    }

    private init(_ name: ChainName, _ keys: [PrivateKey]) throws {
        (rootKey, intermediateKey, leafKey) = (keys[0], keys[1], keys[2])
        let rootInfo = try rootKey.publicKeyInfo()
        let rootID = try CertificateTemplate.keyIdentifier(ofPublicKeyInfo: rootInfo)
        let rootName = Self.name("\(name.title) Root CA")
        root = try CertificateTemplate(
            issuer: rootName.der, subject: rootName, publicKeyInfo: rootInfo,
            extensions: [
                .subjectKeyIdentifier(rootID), .basicConstraints(isCA: true),
                .certificateAuthorityUsage,
            ]
        ).signed(by: rootKey)

        let info = try intermediateKey.publicKeyInfo()
        intermediate = try CertificateTemplate(
            issuer: rootName.der, subject: Self.name("\(name.title) Receipt Intermediate CA"),
            publicKeyInfo: info,
            extensions: [
                .basicConstraints(isCA: true, pathLength: 0), .authorityKeyIdentifier(rootID),
                .subjectKeyIdentifier(try CertificateTemplate.keyIdentifier(ofPublicKeyInfo: info)),
                .certificateAuthorityUsage, .marker(.intermediateMarker),
            ]
        ).signed(by: rootKey)
    }

    private static func name(_ commonName: String) -> DistinguishedName {
        DistinguishedName(organization: IssuingChain.organization, commonName: commonName)
    }

    func files(of name: ChainName) throws -> [String: [UInt8]] {
        [
            name.rootKeyFile: try rootKey.pem(),
            name.intermediateKeyFile: try intermediateKey.pem(),
            name.leafKeyFile: try leafKey.pem(),
            name.intermediateFile: intermediate,
            name.rootFile: root,
            name.rootTextFile: Self.pem(root),
        ]
    }

    static func pem(_ certificate: [UInt8]) -> [UInt8] {
        let text = Data(certificate).base64EncodedString(
            options: [.lineLength64Characters, .endLineWithLineFeed])
        return Array(
            "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n".utf8)
    }
}
