import StoreModel

@testable import StoreSigning
@testable import StoreVerification

/// Makes chains of our own, right or wrong in one place, and receipts under them.
struct TestAuthority {
    /// What differs from a right chain.
    struct Change: Sendable {
        var name = "nothing"
        var leaf: @Sendable (inout CertificateTemplate) -> Void = { _ in }
        var intermediate: @Sendable (inout CertificateTemplate) -> Void = { _ in }
        var root: @Sendable (inout CertificateTemplate) -> Void = { _ in }
    }

    private static let keys = Result {
        (try PrivateKey.makeRSA(), try PrivateKey.makeRSA(), try PrivateKey.makeRSA())
    }

    let rootKey: PrivateKey
    let intermediateKey: PrivateKey
    let leafKey: PrivateKey
    let root: [UInt8]
    let intermediate: [UInt8]
    let leaf: [UInt8]
    private let leafIssuer: [UInt8]
    private let leafSerial: [UInt8]

    init(_ change: Change = Change(), worldID: String? = Samples.worldID) throws {
        (rootKey, intermediateKey, leafKey) = try Self.keys.get()
        // Longer names higher up: `openssl cms` sorts certificates, shorter ones first.
        let rootName = DistinguishedName(
            organization: "Example", organizationalUnit: String(repeating: "R", count: 64),
            commonName: "Example Root " + String(repeating: "r", count: 50))
        let middleName = DistinguishedName(organization: "Example", commonName: "Middle")
        let (rootInfo, middleInfo, leafInfo) = (
            try rootKey.publicKeyInfo(), try intermediateKey.publicKeyInfo(),
            try leafKey.publicKeyInfo()
        )
        let rootID = try CertificateTemplate.keyIdentifier(ofPublicKeyInfo: rootInfo)
        let middleID = try CertificateTemplate.keyIdentifier(ofPublicKeyInfo: middleInfo)

        var template = CertificateTemplate(
            issuer: rootName.der, subject: rootName, publicKeyInfo: rootInfo,
            extensions: [
                .basicConstraints(isCA: true), .subjectKeyIdentifier(rootID),
                .certificateAuthorityUsage,
            ])
        change.root(&template)
        root = try template.signed(by: rootKey)
        template = CertificateTemplate(
            issuer: rootName.der, subject: middleName, publicKeyInfo: middleInfo,
            extensions: [
                .basicConstraints(isCA: true, pathLength: 0), .authorityKeyIdentifier(rootID),
                .subjectKeyIdentifier(middleID), .certificateAuthorityUsage,
                .marker(.intermediateMarker),
            ])
        change.intermediate(&template)
        intermediate = try template.signed(by: rootKey)
        template = CertificateTemplate(
            issuer: middleName.der,
            subject: DistinguishedName(
                organization: "E", organizationalUnit: worldID, commonName: "L"),
            publicKeyInfo: leafInfo,
            extensions: [
                .basicConstraints(isCA: false), .authorityKeyIdentifier(middleID),
                .digitalSignatureUsage, .marker(.receiptSigningMarker),
                .subjectKeyIdentifier(
                    try CertificateTemplate.keyIdentifier(ofPublicKeyInfo: leafInfo)),
            ])
        change.leaf(&template)
        leafIssuer = template.issuer
        leafSerial = DERWriter.unsignedInteger(template.serial)
        leaf = try template.signed(by: intermediateKey)
    }

    var verifier: ReceiptVerifier {
        ReceiptVerifier(
            roots: TrustedRoots([TrustedRoot(.sandbox, isTest: false, der: root)]))
    }

    static let seal = WorldSeal(
        worldID: Samples.worldID, environment: .sandbox, isTest: false)

    func payload() throws -> [UInt8] { try Samples.payload().der(sealedFor: Self.seal) }

    func receipt(
        payload: [UInt8]? = nil, certificates: [[UInt8]]? = nil, signerSerial: [UInt8]? = nil,
        key: PrivateKey? = nil
    ) throws -> [UInt8] {
        let content = try payload ?? self.payload()
        return ReceiptContainer.der(
            payload: content,
            certificates: Array((certificates ?? [leaf, intermediate, root]).joined()),
            signerIssuer: leafIssuer, signerSerial: signerSerial ?? leafSerial,
            signature: try (key ?? leafKey).signature(over: content))
    }
}

/// The refusal of a receipt; nil when it was accepted.
func refusal(_ verifier: ReceiptVerifier, _ receipt: [UInt8]) -> VerificationRefusal? {
    do throws(VerificationRefusal) {
        _ = try verifier.verify(receipt)
        return nil
    } catch { return error }
}

extension VerificationRefusal {
    var isMalformed: Bool { if case .malformed = self { true } else { false } }

    var text: String {
        switch self {
        case .malformed(let text), .notAuthentic(let text): text
        }
    }
}
