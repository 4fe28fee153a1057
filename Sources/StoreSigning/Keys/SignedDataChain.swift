package import StoreModel
import StoreVerification
import Synchronization

/// A chain that is ready to issue certificates for signed data and to sign under them.
struct SignedDataChain: Sendable {
    /// The name in Apple's leaf, of both environments.
    static let leafName = "Prod ECC Mac App Store and iTunes Store Receipt Signing"
    private static let leafKeyLabel = "Bodega signed data leaf key, version 1"

    let root: TrustedRoot
    private let name: ChainName
    /// Made with the chain. Worlds have their own, over the same key, from when they sign data.
    private let intermediate: Certificate
    private let rootKey: AuthorityKey
    private let intermediateKey: AuthorityKey
    private let leafKeyText: [UInt8]
    private let leafKey: CurvePrivateKey

    /// Built from the contents of the chain's files.
    init(_ name: ChainName, files: [String: [UInt8]]) throws {
        self.name = name
        root = TrustedRoot(
            name.environment, isTest: name.isTest, der: try files.bytes(name.dataRootFile))
        intermediate = try Certificate(try files.bytes(name.dataIntermediateFile))
        rootKey = AuthorityKey(pem: try files.bytes(name.dataRootKeyFile))
        intermediateKey = AuthorityKey(pem: try files.bytes(name.dataIntermediateKeyFile))
        leafKeyText = try files.bytes(name.dataLeafKeyFile)
        leafKey = try CurvePrivateKey(pem: leafKeyText)
    }

    /// A new leaf certificate (DER) that names a world.
    ///
    /// Different each time, as signatures of ECDSA are, so a world keeps its own.
    func makeLeaf(_ terms: DataCertificateTerms, worldID: String) throws -> [UInt8] {
        try IssuingChain.check(worldID: worldID)
        var template = try CertificateTemplate.leaf(
            IssuingChain.name(Self.leafName, ofWorld: worldID),
            publicKeyInfo: try key(terms.keyNumber, worldID: worldID).publicKeyInfo(),
            below: intermediate, policy: .receiptSigningPolicy,
            marker: .receiptSigningMarker, responder: terms.responder)
        template.notAfter = terms.notAfter
        return try template.signed(by: try intermediateKey.read())
    }

    /// A new certificate (DER) for the intermediate's name and key; a leaf fits below any of them.
    func makeIntermediate(_ terms: DataCertificateTerms) throws -> [UInt8] {
        var template = try CertificateTemplate.authority(
            SignedDataMaterial.intermediateName(name), publicKeyInfo: intermediate.publicKeyInfo,
            below: try Certificate(root.der), marker: .intermediateMarker,
            responder: terms.responder)
        template.notAfter = terms.notAfter
        return try template.signed(by: try rootKey.read())
    }

    /// A world's key for leaves: the chain's, or one that follows from it, the world and a number.
    ///
    /// So a new key needs no file, and the world's file holds no secret.
    private func key(_ number: Int64, worldID: String) throws -> CurvePrivateKey {
        guard number != 0 else { return leafKey }
        return try CurvePrivateKey.derived(
            from: leafKeyText, "\(Self.leafKeyLabel)\u{0}\(worldID)\u{0}\(number)")
    }

    /// A signer under certificates of this chain; refuses any others. Without an intermediate of the
    /// world's own, the chain's stands between leaf and root.
    ///
    /// Certificates that this chain has `justMade` need no check, which takes two milliseconds.
    func signer(
        leaf der: [UInt8], intermediate own: [UInt8]? = nil, keyNumber: Int64 = 0,
        justMade: Bool = false
    ) throws -> SignedDataSigner {
        let leaf: Certificate
        let middle: Certificate
        let key: CurvePrivateKey
        do {
            leaf = try Certificate(der)
            middle = try own.map { try Certificate($0) } ?? intermediate
            if !justMade {
                _ = try TrustedDataSigner(leaf: leaf, intermediate: middle, root: root)
            }
            guard leaf.organizationalUnits.count == 1 else {
                throw ChainProblem("The leaf certificate does not name one world.")
            }
            key = try self.key(keyNumber, worldID: leaf.organizationalUnits[0])
        } catch {
            throw SigningFailure(
                .damaged,
                "A certificate of signed data was not made by this store's keys: \(error)",
                advice: MarkedFiles.restoring)
        }
        guard try leaf.publicKeyInfo == key.publicKeyInfo() else {
            throw SigningFailure(
                .damaged, "The leaf certificate of signed data is for another key.",
                advice: MarkedFiles.restoring)
        }
        return try SignedDataSigner(leaf: leaf, above: [middle.der, root.der], key: key)
    }

    /// A responder for the certificates of this chain, with a new key.
    func makeResponder() throws -> OCSPResponder {
        let key = try CurvePrivateKey.make()
        func authority(
            _ certificate: Certificate, _ issues: DataCertificateRole, _ signer: AuthorityKey,
            _ title: String
        ) throws -> OCSPResponder.Authority {
            let template = try CertificateTemplate.responder(
                IssuingChain.name("\(name.title) Signed Data \(title) OCSP Responder"),
                publicKeyInfo: try key.publicKeyInfo(), below: certificate)
            return OCSPResponder.Authority(
                issues: issues, certificate: certificate,
                responder: try template.signed(by: try signer.read()))
        }
        return try OCSPResponder(
            authorities: [
                try authority(intermediate, .leaf, intermediateKey, "Intermediate"),
                try authority(try Certificate(root.der), .intermediate, rootKey, "Root"),
            ], key: key)
    }
}

/// An authority's key on P-384, which is read when it first signs: OpenSSL takes milliseconds to
/// check one, and most stores never sign data.
private final class AuthorityKey: Sendable {
    private let pem: [UInt8]
    private let key = Mutex<CurvePrivateKey?>(nil)

    init(pem: [UInt8]) {
        self.pem = pem
    }

    func read() throws -> CurvePrivateKey {
        try key.withLock { key in
            if let key { return key }
            let read = try CurvePrivateKey(pem: pem, on: .p384)
            key = read
            return read
        }
    }
}

/// What sets certificates for signed data of one world apart.
package struct DataCertificateTerms: Hashable, Sendable {
    /// The end of validity of one that nobody lets expire.
    package static let usualEnd = CertificateTemplate.notAfter

    /// The address at which its status is told, in ASCII; nil for none.
    package var responder: String?
    package var notAfter: Timestamp
    /// Which of the world's keys a leaf is for.
    package var keyNumber: Int64

    package init(
        responder: String? = nil, notAfter: Timestamp = Self.usualEnd, keyNumber: Int64 = 0
    ) {
        self.responder = responder
        self.notAfter = notAfter
        self.keyNumber = keyNumber
    }
}
