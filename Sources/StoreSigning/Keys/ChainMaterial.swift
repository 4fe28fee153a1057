import Dispatch
import StoreVerification
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
        root = try CertificateTemplate.root(
            IssuingChain.name("\(name.title) Root CA"), publicKeyInfo: try rootKey.publicKeyInfo()
        ).signed(by: rootKey)
        intermediate = try CertificateTemplate.authority(
            IssuingChain.name("\(name.title) Receipt Intermediate CA"),
            publicKeyInfo: try intermediateKey.publicKeyInfo(), below: try Certificate(root),
            marker: .intermediateMarker
        ).signed(by: rootKey)
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

    static func pem(_ certificate: [UInt8]) -> [UInt8] { Array(certificatePEM(certificate).utf8) }
}

/// A certificate (DER) as text.
package func certificatePEM(_ certificate: [UInt8]) -> String {
    let text = Data(certificate).base64EncodedString(
        options: [.lineLength64Characters, .endLineWithLineFeed])
    return "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
}
