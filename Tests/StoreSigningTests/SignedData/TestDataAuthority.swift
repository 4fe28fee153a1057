import StoreModel

@testable import StoreSigning
@testable import StoreVerification

/// Makes chains for signed data of our own, right or wrong in one place, and JWS under them.
struct TestDataAuthority {
    typealias Change = TestAuthority.Change

    let leafKey: CurvePrivateKey
    let root: [UInt8]
    let intermediate: [UInt8]
    let leaf: [UInt8]

    var certificates: [[UInt8]] { [leaf, intermediate, root] }

    init(_ change: Change = Change(), curve: Curve = .p384, leafCurve: Curve = .p256) throws {
        let (rootKey, middleKey) = (
            try CurvePrivateKey.make(on: curve), try CurvePrivateKey.make(on: curve)
        )
        leafKey = try CurvePrivateKey.make(on: leafCurve)
        var template = try CertificateTemplate.root(
            DistinguishedName(organization: "Example", commonName: "Root"),
            publicKeyInfo: try rootKey.publicKeyInfo())
        change.root(&template)
        root = try template.signed(by: rootKey)
        template = try CertificateTemplate.authority(
            DistinguishedName(organization: "Example", commonName: "Middle"),
            publicKeyInfo: try middleKey.publicKeyInfo(), below: try Certificate(root),
            marker: .intermediateMarker)
        change.intermediate(&template)
        intermediate = try template.signed(by: rootKey)
        template = try CertificateTemplate.leaf(
            DistinguishedName(
                organization: "Example", organizationalUnit: Samples.worldID, commonName: "Leaf"),
            publicKeyInfo: try leafKey.publicKeyInfo(), below: try Certificate(intermediate),
            policy: .receiptSigningPolicy, marker: .receiptSigningMarker)
        change.leaf(&template)
        leaf = try template.signed(by: middleKey)
    }

    var verifier: SignedDataVerifier {
        SignedDataVerifier(
            roots: TrustedRoots([TrustedRoot(.sandbox, isTest: false, der: root)]))
    }

    /// The certificates as the value of `x5c`.
    var x5c: String { Self.x5c(certificates) }

    static func x5c(_ certificates: [[UInt8]]) -> String {
        "[" + certificates.map { "\"\(StrictBase64.text($0))\"" }.joined(separator: ",") + "]"
    }

    /// A JWS that is signed rightly, whatever it says.
    func jws(
        header: String? = nil, payload: String = Samples.signedTransaction(),
        certificates: [[UInt8]]? = nil, key: CurvePrivateKey? = nil
    ) throws -> String {
        let own = #"{"alg":"ES256","x5c":\#(Self.x5c(certificates ?? self.certificates))}"#
        return try OfferSamples.jws(
            header: header ?? own, payload: payload, key: key ?? leafKey)
    }
}

/// The refusal of signed data; nil when they were accepted.
func refusal(
    _ verifier: SignedDataVerifier, _ jws: String, at moment: Timestamp? = nil
) -> VerificationRefusal? {
    do throws(VerificationRefusal) {
        _ = try verifier.verify(jws, at: moment)
        return nil
    } catch { return error }
}

extension Samples {
    static let signedAt = Timestamp(milliseconds: 1_714_558_831_000)

    /// The payload of a transaction.
    static func signedTransaction(_ environment: StoreEnvironment = .sandbox) -> String {
        """
        {"bundleId":"\(bundleID)","currency":"USD","environment":"\(environment.wireName)",\
        "inAppOwnershipType":"PURCHASED","originalPurchaseDate":1714558830000,\
        "originalTransactionId":"2000000000000001","price":990,\
        "productId":"com.example.rocketcar.fuel","purchaseDate":1714558830000,"quantity":1,\
        "signedDate":1714558831000,"storefront":"USA","storefrontId":"143441",\
        "transactionId":"2000000000000001","transactionReason":"PURCHASE","type":"Consumable"}
        """
    }
}

extension SharedStore {
    static let responder = "http://127.0.0.1:8080/sandbox/ocsp"

    /// A signer whose certificates name a responder, as a world's do.
    static func dataSigner(
        _ environment: StoreEnvironment = .sandbox, isTest: Bool = false,
        worldID: String = Samples.worldID
    ) throws -> SignedDataSigner {
        let store = try get()
        let terms = DataCertificateTerms(responder: responder)
        return try store.dataSigner(
            environment, isTest: isTest,
            leaf: try store.makeDataLeaf(environment, isTest: isTest, worldID: worldID, terms),
            intermediate: try store.makeDataIntermediate(environment, isTest: isTest, terms))
    }
}
