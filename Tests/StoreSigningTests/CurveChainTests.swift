import StoreModel
import Testing

@testable import StoreSigning

/// Chains as Apple's signed data has them: authorities on P-384, a leaf on P-256, ECDSA with
/// SHA-384.
@Suite struct CurveChainTests {
    private static let rules = ChainRules(
        signs: "signed data", leafMarker: .receiptSigningMarker,
        intermediateMarker: .intermediateMarker)

    private struct Authority {
        let root: [UInt8]
        let intermediate: [UInt8]
        let intermediateKey: CurvePrivateKey

        init(curve: Curve = .p384) throws {
            let rootKey = try CurvePrivateKey.make(on: curve)
            intermediateKey = try CurvePrivateKey.make(on: curve)
            let rootName = DistinguishedName(organization: "Test", commonName: "Root")
            let rootInfo = try rootKey.publicKeyInfo()
            let rootID = try CertificateTemplate.keyIdentifier(ofPublicKeyInfo: rootInfo)
            root = try CertificateTemplate(
                issuer: rootName.der, subject: rootName, publicKeyInfo: rootInfo,
                extensions: [
                    .subjectKeyIdentifier(rootID), .basicConstraints(isCA: true),
                    .certificateAuthorityUsage,
                ]
            ).signed(by: rootKey)
            let info = try intermediateKey.publicKeyInfo()
            intermediate = try CertificateTemplate(
                issuer: rootName.der,
                subject: DistinguishedName(organization: "Test", commonName: "Intermediate"),
                publicKeyInfo: info,
                extensions: [
                    .basicConstraints(isCA: true, pathLength: 0), .authorityKeyIdentifier(rootID),
                    .subjectKeyIdentifier(
                        try CertificateTemplate.keyIdentifier(ofPublicKeyInfo: info)),
                    .certificateAuthorityUsage, .marker(.intermediateMarker),
                ]
            ).signed(by: rootKey)
        }

        func leaf(
            _ key: CurvePrivateKey, marker: OID = .receiptSigningMarker
        ) throws -> Certificate {
            let above = try Certificate(intermediate)
            let issuerID = try CertificateTemplate.keyIdentifier(
                ofPublicKeyInfo: above.publicKeyInfo)
            let template = CertificateTemplate(
                issuer: above.subject,
                subject: DistinguishedName(
                    organization: "Test", organizationalUnit: "world-1", commonName: "Leaf"),
                publicKeyInfo: try key.publicKeyInfo(),
                extensions: [
                    .basicConstraints(isCA: false), .authorityKeyIdentifier(issuerID),
                    .digitalSignatureUsage, .marker(marker),
                ])
            return try Certificate(try template.signed(by: intermediateKey))
        }

        func chain(_ leaf: Certificate) throws -> TrustedChain {
            try TrustedChain(
                leaf: leaf, intermediate: try Certificate(intermediate),
                root: TrustedRoot(.sandbox, isTest: false, der: root), by: CurveChainTests.rules)
        }
    }

    @Test(arguments: [Curve.p384, .p256])
    func `a leaf under authorities on a curve is trusted and its key checks signatures`(
        curve: Curve
    ) throws {
        let authority = try Authority(curve: curve)
        let key = try CurvePrivateKey.make()
        let chain = try authority.chain(try authority.leaf(key))
        #expect(chain.worldID == "world-1")
        let publicKey = try #require(CurvePublicKey(info: chain.leaf.publicKeyInfo))
        let bytes = Array("signed".utf8)
        #expect(publicKey.isValid(try key.signature(over: bytes), over: bytes))
        #expect(!publicKey.isValid(try key.signature(over: bytes + [0]), over: bytes))
    }

    @Test func `a leaf that another authority of the same name signed is refused`() throws {
        let leaf = try Authority().leaf(try CurvePrivateKey.make())
        #expect(throws: ChainProblem.self) { try Authority().chain(leaf) }
    }

    @Test func `a leaf with the marker of other data is refused by its purpose`() throws {
        let authority = try Authority()
        let leaf = try authority.leaf(
            try CurvePrivateKey.make(), marker: .transactionSigningMarker)
        let expected = ChainProblem(
            "The leaf certificate may not sign signed data: its marker is missing.")
        #expect(throws: expected) { try authority.chain(leaf) }
    }

    @Test func `a receipt's chain refuses a leaf with a key on a curve`() throws {
        let authority = try Authority()
        let expected = ReceiptRefusal.notAuthentic(
            "The leaf certificate has no RSA key of 2048 bits or more.")
        #expect(throws: expected) {
            try ReceiptChain(
                leaf: try authority.leaf(try CurvePrivateKey.make()),
                intermediate: try Certificate(authority.intermediate),
                root: TrustedRoot(.sandbox, isTest: false, der: authority.root))
        }
    }

    @Test func `a key on one curve is not read as a key on another`() throws {
        let pem = try CurvePrivateKey.make(on: .p384).pem()
        #expect(throws: Never.self) { try CurvePrivateKey(pem: pem, on: .p384) }
        #expect(throws: SigningFailure(.invalidValue, "")) { try CurvePrivateKey(pem: pem) }
    }
}
