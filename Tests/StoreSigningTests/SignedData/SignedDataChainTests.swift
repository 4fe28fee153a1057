import StoreModel
import Testing

@testable import StoreSigning
@testable import StoreVerification

/// Certificates of signed data with one thing wrong.
struct SignedDataChainTests {
    typealias Change = TestDataAuthority.Change

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let problem: String?
        let change: Change

        init(_ name: String, _ problem: String?, _ change: Change) {
            (testDescription, self.problem, self.change) = (name, problem, change)
        }
    }

    private static func adding(
        _ new: CertificateExtension
    ) -> @Sendable (inout CertificateTemplate) -> Void {
        { $0.extensions.append(new) }
    }

    private static func critical(_ type: OID) -> @Sendable (inout CertificateTemplate) -> Void {
        ChainTests.replacing(
            CertificateExtension(type, isCritical: true, value: DERWriter.null))
    }

    @Test(arguments: [
        Row("as it should be", nil, Change()),
        Row(
            "leaf without marker", "may not sign data",
            Change(leaf: ChainTests.removing(.receiptSigningMarker))),
        Row(
            "intermediate without marker", "intermediate certificate's marker",
            Change(intermediate: ChainTests.removing(.intermediateMarker))),
        Row(
            "leaf with a critical marker", "do not lead to the root",
            Change(leaf: critical(.receiptSigningMarker))),
        Row(
            "intermediate with a critical marker", "do not lead to the root",
            Change(intermediate: critical(.intermediateMarker))),
        Row(
            "leaf that is an authority", "belongs to an authority",
            Change(leaf: ChainTests.replacing(.basicConstraints(isCA: true)))),
        Row(
            "intermediate that is none", "does not belong to an authority",
            Change(intermediate: ChainTests.replacing(.basicConstraints(isCA: false)))),
        Row(
            "intermediate that may not certify", "do not lead to the root",
            Change(intermediate: ChainTests.replacing(.digitalSignatureUsage))),
        Row(
            "unknown critical extension", "do not lead to the root",
            Change(
                leaf: adding(
                    CertificateExtension(
                        OID(1, 2, 3, 4), isCritical: true, value: DERWriter.null)))),
        Row(
            "leaf without its issuer's key identifier", "do not lead to the root",
            Change(leaf: ChainTests.removing(.authorityKeyIdentifier))),
        Row(
            "leaf of another issuer", "do not lead to the root",
            Change(leaf: {
                $0.issuer = DistinguishedName(organization: "X", commonName: "X").der
            })),
        Row(
            "leaf of no world", "does not name one world",
            Change(leaf: {
                $0.subject = DistinguishedName(organization: "E", commonName: "L")
            })),
        Row(
            "expired leaf", "not valid at the time",
            Change(leaf: { $0.notAfter = Samples.moment("2024-05-01T10:20:30Z") })),
        Row(
            "leaf that ends with the signature", nil,
            Change(leaf: { $0.notAfter = Samples.moment("2024-05-01T10:20:31Z") })),
        Row(
            "leaf younger than the signature", "not valid at the time",
            Change(leaf: { $0.notBefore = Samples.moment("2024-05-01T10:20:32Z") })),
        Row(
            "expired intermediate", "not valid at the time",
            Change(intermediate: { $0.notAfter = Samples.moment("2024-01-01T00:00:00Z") })),
        Row(
            "expired root", "not valid at the time",
            Change(root: { $0.notAfter = Samples.moment("2024-01-01T00:00:00Z") })),
    ])
    func `a chain of signed data is checked against its rules`(row: Row) throws {
        let authority = try TestDataAuthority(row.change)
        let problem = refusal(authority.verifier, try authority.jws())
        if let expected = row.problem {
            #expect(problem?.isMalformed == false)
            #expect(problem?.text.contains(expected) == true, "\(problem?.text ?? "accepted")")
        } else {
            #expect(problem == nil, "\(problem?.text ?? "")")
        }
    }

    @Test func `a leaf with a key on another curve signs no data`() throws {
        let authority = try TestDataAuthority(leafCurve: .p384)
        let jws = try authority.jws(key: try CurvePrivateKey.make())
        #expect(
            refusal(authority.verifier, jws)
                == .notAuthentic("The leaf certificate has no key on the curve P-256."))
    }

    @Test func `dates are checked at the given moment, or else at the data's own`() throws {
        let authority = try TestDataAuthority(
            Change(leaf: { $0.notAfter = Samples.moment("2025-01-01T00:00:00Z") }))
        let verifier = authority.verifier
        let jws = try authority.jws()
        #expect(refusal(verifier, jws) == nil)
        #expect(refusal(verifier, jws, at: Samples.moment("2025-01-01T00:00:00Z")) == nil)
        // The chain is known by now.
        let late = Samples.moment("2025-01-01T00:00:01Z")
        #expect(refusal(verifier, jws, at: late)?.text.contains("not valid at the time") == true)
        for (payload, isGood) in [
            (#"{"signedDate":1735689600999}"#, true), (#"{"signedDate":1735689601000}"#, false),
            (#"{"receiptCreationDate":1714558831000}"#, true),
            (#"{"receiptCreationDate":1735689601000}"#, false),
            (#"{"receiptCreationDate":1,"signedDate":1714558831000}"#, true),
            (#"{"signedDate":9223372036854775807}"#, false),
            (#"{"signedDate":-9223372036854775808}"#, false),
        ] {
            let jws = try authority.jws(payload: payload)
            #expect((refusal(verifier, jws) == nil) == isGood, "\(payload)")
        }
        for payload in ["{}", "[]", "", #"{"signedDate":"1714558831000"}"#] {
            let jws = try authority.jws(payload: payload)
            #expect(refusal(verifier, jws)?.isMalformed == true, "\(payload)")
            #expect(refusal(verifier, jws, at: Samples.signedAt) == nil, "\(payload)")
        }
    }
}
