import StoreModel

@testable import StoreSigning
@testable import StoreVerification

/// Makes authorities for transaction receipts, right or wrong in one place, and receipts of any
/// content under them.
struct TestTransactionAuthority {
    /// What differs from a right certificate.
    typealias Change = @Sendable (inout CertificateTemplate) -> Void

    static let worldID = Samples.worldID
    static let seal = WorldSeal(worldID: worldID, environment: .sandbox, isTest: false)
    private static let keys = Result {
        (
            try PrivateKey.makeRSA(), try PrivateKey.makeRSA(),
            try PrivateKey.makeRSA(bits: PrivateKey.shortRSABits)
        )
    }

    let authority: TransactionAuthority
    let leaf: [UInt8]
    let leafKey: PrivateKey

    init(leaf change: Change = { _ in }, authority changeAuthority: Change = { _ in }) throws {
        let (rootKey, authorityKey, leafKey) = try Self.keys.get()
        self.leafKey = leafKey
        func keyID(_ key: PrivateKey) throws -> [UInt8] {
            try CertificateTemplate.keyIdentifier(ofPublicKeyInfo: key.publicKeyInfo())
        }
        let rootName = DistinguishedName(organization: "Example", commonName: "Example Root")
        let root = try CertificateTemplate(
            issuer: rootName.der, subject: rootName, publicKeyInfo: rootKey.publicKeyInfo(),
            extensions: [
                .basicConstraints(isCA: true), .subjectKeyIdentifier(try keyID(rootKey)),
                .certificateAuthorityUsage,
            ]
        ).signed(by: rootKey)
        var template = CertificateTemplate(
            issuer: rootName.der,
            subject: DistinguishedName(organization: "Example", commonName: "Example Authority"),
            publicKeyInfo: try authorityKey.publicKeyInfo(),
            extensions: [
                .basicConstraints(isCA: true, pathLength: 0),
                .authorityKeyIdentifier(try keyID(rootKey)),
                .subjectKeyIdentifier(try keyID(authorityKey)), .certificateAuthorityUsage,
            ])
        changeAuthority(&template)
        let certificate = try Certificate(try template.signed(by: rootKey))
        authority = TransactionAuthority(
            root: TrustedRoot(.sandbox, isTest: false, der: root), certificate: certificate)
        template = CertificateTemplate(
            issuer: certificate.subject,
            subject: DistinguishedName(
                organization: "Example", organizationalUnit: Self.worldID, commonName: "Leaf"),
            publicKeyInfo: try leafKey.publicKeyInfo(),
            extensions: [
                .basicConstraints(isCA: false),
                .authorityKeyIdentifier(try keyID(authorityKey)),
                .subjectKeyIdentifier(try keyID(leafKey)), .digitalSignatureUsage,
                .marker(.transactionSigningMarker),
            ])
        change(&template)
        leaf = try template.signed(by: authorityKey)
    }

    var verifier: TransactionReceiptVerifier {
        TransactionReceiptVerifier(authorities: TransactionAuthorities([authority]))
    }

    /// A receipt that is signed rightly, whatever it says.
    func receipt(
        info: [UInt8] = PropertyListText.text(
            Samples.transactionInfo.pairs(sealedFor: seal)),
        unsigned: StoreEnvironment = .sandbox, key: PrivateKey? = nil
    ) throws -> [UInt8] {
        let signature = TransactionSignature(
            signature: try (key ?? leafKey).signature(
                over: TransactionSignature.signedBytes(info), by: .sha1), certificate: leaf)
        return TransactionReceiptText.text(
            signature: signature.bytes, info: info, from: unsigned)
    }
}

/// The refusal of a transaction receipt; nil when it was accepted.
func refusal(_ verifier: TransactionReceiptVerifier, _ receipt: [UInt8]) -> VerificationRefusal? {
    do throws(VerificationRefusal) {
        _ = try verifier.verify(receipt)
        return nil
    } catch { return error }
}

extension Samples {
    static let transactionInfo = TransactionReceiptInfo(
        bundleID: bundleID, applicationVersion: "1.2.3",
        vendorIdentifier: "00112233-4455-6677-8899-AABBCCDDEEFF",
        productID: "com.example.rocketcar.fuel", quantity: 3,
        transactionID: "2000000000000002", originalTransactionID: "2000000000000001",
        purchasedAt: Timestamp(milliseconds: 1_714_558_830_123),
        originallyPurchasedAt: Timestamp(milliseconds: 1_710_000_000_007))

    static var transactionSubscription: TransactionReceiptInfo {
        var info = transactionInfo
        info.subscription = .init(
            expiresAt: moment("2024-06-01T10:20:30Z"), webOrderLineItemID: 2_000_000_000_000_003,
            isTrialPeriod: true, isInIntroOfferPeriod: false)
        return info
    }
}

extension SharedStore {
    static func transactionSigner(
        _ environment: StoreEnvironment = .sandbox, isTest: Bool = false,
        worldID: String = Samples.worldID
    ) throws -> TransactionReceiptSigner {
        try get().transactionReceiptSigner(environment, isTest: isTest, worldID: worldID)
    }
}
