import StoreModel
import Testing

@testable import StoreSigning
@testable import StoreVerification

struct ChainTests {
    typealias Change = TestAuthority.Change

    static func removing(_ type: OID) -> @Sendable (inout CertificateTemplate) -> Void {
        { $0.extensions.removeAll { $0.type == type } }
    }

    static func replacing(
        _ new: CertificateExtension
    ) -> @Sendable (inout CertificateTemplate) -> Void {
        {
            $0.extensions.removeAll { $0.type == new.type }
            $0.extensions.append(new)
        }
    }

    /// A chain with one thing wrong, and what is said of it; nothing when it is accepted.
    struct Row: Sendable {
        let name: String
        let problem: String?
        let change: Change
    }

    @Test(arguments: [
        Row(name: "as it should be", problem: nil, change: Change()),
        Row(
            name: "leaf without marker", problem: "leaf certificate may not sign receipts",
            change: Change(leaf: removing(.receiptSigningMarker))),
        Row(
            name: "intermediate without marker", problem: "intermediate certificate's marker",
            change: Change(intermediate: removing(.intermediateMarker))),
        Row(
            name: "leaf with the intermediate's marker",
            problem: "leaf certificate may not sign receipts",
            change: Change(leaf: {
                $0.extensions.removeAll { $0.type == .receiptSigningMarker }
                $0.extensions.append(.marker(.intermediateMarker))
            })),
        Row(
            name: "leaf that is an authority", problem: "leaf certificate belongs to an authority",
            change: Change(leaf: replacing(.basicConstraints(isCA: true)))),
        Row(
            name: "leaf with unreadable constraints", problem: "authority",
            change: Change(
                leaf: replacing(
                    CertificateExtension(.basicConstraints, isCritical: true, value: [0x05, 0])))),
        Row(
            name: "intermediate that is not an authority",
            problem: "does not belong to an authority",
            change: Change(intermediate: replacing(.basicConstraints(isCA: false)))),
        Row(
            name: "intermediate without constraints", problem: "does not belong to an authority",
            change: Change(intermediate: removing(.basicConstraints))),
        Row(
            name: "intermediate that may not sign", problem: "do not lead to the root",
            change: Change(intermediate: replacing(.digitalSignatureUsage))),
        Row(
            name: "unknown critical extension", problem: "do not lead to the root",
            change: Change(leaf: {
                $0.extensions.append(
                    CertificateExtension(
                        OID(1, 2, 3, 4), isCritical: true, value: DERWriter.null))
            })),
        Row(
            name: "leaf expired before the receipt", problem: "not valid at the time",
            change: Change(leaf: { $0.notAfter = Samples.moment("2024-05-01T10:20:30Z") })),
        Row(
            name: "leaf ends with the receipt", problem: nil,
            change: Change(leaf: { $0.notAfter = Samples.moment("2024-05-01T10:20:31Z") })),
        Row(
            name: "leaf younger than the receipt", problem: "not valid at the time",
            change: Change(leaf: { $0.notBefore = Samples.moment("2024-05-01T10:20:32Z") })),
        Row(
            name: "intermediate expired", problem: "not valid at the time",
            change: Change(intermediate: { $0.notAfter = Samples.moment("2020-01-01T00:00:00Z") })
        ),
        Row(
            name: "root expired", problem: "not valid at the time",
            change: Change(root: { $0.notAfter = Samples.moment("2020-01-01T00:00:00Z") })),
        Row(
            name: "leaf names another issuer", problem: "do not lead to the root",
            change: Change(leaf: {
                $0.issuer = DistinguishedName(organization: "X", commonName: "X").der
            })),
        Row(
            name: "leaf names no world", problem: "does not name one world",
            change: Change(leaf: {
                $0.subject = DistinguishedName(organization: "E", commonName: "L")
            })),
        Row(
            name: "leaf names another world", problem: "world its certificate names",
            change: Change(leaf: {
                $0.subject = DistinguishedName(
                    organization: "E", organizationalUnit: Samples.otherWorldID, commonName: "L")
            })),
        Row(
            name: "an extension twice", problem: "has the extension",
            change: Change(leaf: { $0.extensions.append(.marker(.receiptSigningMarker)) })),
        Row(
            name: "many extensions", problem: "more than 32 extensions",
            change: Change(leaf: {
                for arc in 0..<32 as Range<UInt64> {
                    $0.extensions.append(.marker(OID(1, 2, 3, arc)))
                }
            })),
    ])
    func `a certificate chain is checked against its rules`(row: Row) throws {
        let authority = try TestAuthority(row.change)
        let problem = refusal(authority.verifier, try authority.receipt())
        guard let expected = row.problem else {
            #expect(problem == nil, "\(row.name)")
            return
        }
        #expect(problem?.text.contains(expected) == true, "\(row.name): \(problem as Any)")
    }

    @Test func `certificates in another order or number are refused`() throws {
        let authority = try TestAuthority()
        let (leaf, middle, root) = (authority.leaf, authority.intermediate, authority.root)
        let lists = [
            [], [leaf], [leaf, middle], [middle, leaf, root], [root, middle, leaf],
            [leaf, root, middle], [leaf, leaf, root], [leaf, middle, root, root],
            [middle, middle, root], [root, root, root],
        ]
        for list in lists {
            let receipt = try authority.receipt(certificates: list)
            #expect(refusal(authority.verifier, receipt)?.isMalformed == false)
        }
    }

    @Test func `the signature must come from the leaf certificate's key`() throws {
        let authority = try TestAuthority()
        let serial = DERWriter.integer(1)
        let other = try authority.receipt(signerSerial: serial)
        #expect(refusal(authority.verifier, other)?.text.contains("not the leaf") == true)
        let foreign = try authority.receipt(key: authority.intermediateKey)
        #expect(refusal(authority.verifier, foreign)?.text.contains("signature") == true)
    }

    @Test func `a receipt under a foreign root is not authentic`() throws {
        let foreign = try TestAuthority().receipt()
        let problem = refusal(try SharedStore.get().receiptVerifier(), foreign)
        #expect(problem == .notAuthentic("No root of this store vouches for the receipt."))
    }

    @Test func `a root with the same name and another key is foreign`() throws {
        let store = try SharedStore.get()
        let real = try Certificate(store.rootCertificate(.sandbox, isTest: false))
        let key = try PrivateKey.makeRSA()
        var template = CertificateTemplate(
            issuer: real.subject,
            subject: DistinguishedName(
                organization: "Bodega", commonName: "Bodega Sandbox Root CA"),
            publicKeyInfo: try key.publicKeyInfo(), extensions: Array(real.extensions.values))
        template.serial = Array(real.serial.dropFirst(2))
        let twin = try template.signed(by: key)
        #expect(try Certificate(twin).subject == real.subject)
        let authority = try TestAuthority()
        let receipt = try authority.receipt(
            certificates: [authority.leaf, authority.intermediate, twin])
        #expect(refusal(store.receiptVerifier(), receipt)?.isMalformed == false)
    }

    @Test func `a cached chain is still checked for its dates`() throws {
        let authority = try TestAuthority(
            Change(leaf: { $0.notAfter = Samples.moment("2025-01-01T00:00:00Z") }))
        let verifier = authority.verifier
        #expect(refusal(verifier, try authority.receipt()) == nil)
        var payload = Samples.payload()
        payload.createdAt = Samples.moment("2025-01-01T00:00:01Z")
        let late = try authority.receipt(
            payload: try payload.der(sealedFor: TestAuthority.seal))
        #expect(refusal(verifier, late)?.text.contains("not valid at the time") == true)
    }

    @Test func `the chain cache is limited and forgets the oldest`() throws {
        let authority = try TestAuthority()
        let root = TrustedRoot(.sandbox, isTest: false, der: authority.root)
        let chain = try ReceiptChain(
            leaf: try Certificate(authority.leaf),
            intermediate: try Certificate(authority.intermediate), root: root)
        let cache = VerificationCache<ReceiptChain>(countMax: 3)
        for key in 0..<8 as Range<UInt8> {
            cache.add(chain, [key])
            cache.add(chain, [key])
        }
        #expect(cache.count == 3)
        #expect(cache.verified([4]) == nil)
        for key in 5..<8 as Range<UInt8> { #expect(cache.verified([key]) === chain) }
    }
}
