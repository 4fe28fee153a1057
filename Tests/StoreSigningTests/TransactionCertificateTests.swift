import StoreModel
import Testing

@testable import StoreSigning
@testable import StoreVerification

struct TransactionCertificateTests {
    typealias Change = TestTransactionAuthority.Change

    /// A certificate with one thing wrong, and what is said of it; nothing when it is accepted.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let problem: String?
        let leaf: Change
        let authority: Change

        init(
            _ name: String, _ problem: String?, leaf: @escaping Change = { _ in },
            authority: @escaping Change = { _ in }
        ) {
            (testDescription, self.problem) = (name, problem)
            (self.leaf, self.authority) = (leaf, authority)
        }
    }

    static func named(_ world: String?) -> Change {
        {
            $0.subject = DistinguishedName(
                organization: "E", organizationalUnit: world, commonName: "L")
        }
    }

    @Test(arguments: [
        Row("as it should be", nil),
        Row(
            "without marker", "marker is missing",
            leaf: ChainTests.removing(.transactionSigningMarker)),
        Row(
            "with the marker of unified receipts", "marker is missing",
            leaf: {
                ChainTests.removing(.transactionSigningMarker)(&$0)
                $0.extensions.append(.marker(.receiptSigningMarker))
            }),
        Row(
            "an authority's", "belongs to an authority",
            leaf: ChainTests.replacing(.basicConstraints(isCA: true))),
        Row("of no world", "does not name one world", leaf: named(nil)),
        Row("of another world", "was not signed for the world", leaf: named("another")),
        Row(
            "of an issuer with another name", "No authority",
            leaf: {
                $0.issuer = DistinguishedName(organization: "E", commonName: "Other").der
            }),
        Row(
            "expired at the purchase", "not valid at the time",
            leaf: { $0.notAfter = Samples.moment("2024-05-01T10:20:29Z") }),
        Row(
            "valid to the second of the purchase", nil,
            leaf: { $0.notAfter = Samples.moment("2024-05-01T10:20:30Z") }),
        Row(
            "not valid yet", "not valid at the time",
            leaf: { $0.notBefore = Samples.moment("2024-05-01T10:20:31Z") }),
        Row(
            "under an authority that expired", "not valid at the time",
            authority: { $0.notAfter = Samples.moment("2024-01-01T00:00:00Z") }),
        Row(
            "under an authority that is none", "does not lead to the root",
            authority: ChainTests.replacing(.basicConstraints(isCA: false))),
    ])
    func `a signing certificate is accepted only in its exact form`(row: Row) throws {
        let authority = try TestTransactionAuthority(leaf: row.leaf, authority: row.authority)
        let problem = refusal(authority.verifier, try authority.receipt())
        if let expected = row.problem {
            #expect(problem?.isMalformed == false)
            #expect(problem?.text.contains(expected) == true, "\(problem?.text ?? "accepted")")
        } else {
            #expect(problem == nil, "\(problem?.text ?? "")")
        }
    }

    @Test func `a stranger's certificate is refused, even under the name of our authority`() throws
    {
        let store = try SharedStore.get()
        let verifier = store.transactionReceiptVerifier()
        let foreign = try TestTransactionAuthority()
        #expect(
            refusal(verifier, try foreign.receipt())?.text.contains("No authority") == true)
        let receipt = try SharedStore.transactionSigner().sign(Samples.transactionInfo)
        let own = try Certificate(
            try TransactionSignature(try TransactionReceiptText(receipt).signature).certificate)
        let imitated = try TestTransactionAuthority(
            leaf: { $0.issuer = own.issuer })
        #expect(
            refusal(verifier, try imitated.receipt())?.text.contains("does not lead") == true)
    }

    @Test func `unified receipt certificates cannot sign transaction receipts`() throws {
        let store = try SharedStore.get()
        let receipt = try SharedStore.transactionSigner().sign(Samples.transactionInfo)
        let text = try TransactionReceiptText(receipt)
        let leaf = try store.makeLeaf(.sandbox, isTest: false, worldID: Samples.worldID)
        let blob = TransactionSignature(
            signature: try TransactionSignature(text.signature).signature, certificate: leaf)
        let mixed = TransactionReceiptText.text(
            signature: blob.bytes, info: text.info, from: .sandbox)
        let problem = refusal(store.transactionReceiptVerifier(), mixed)
        #expect(problem?.text.contains("No authority") == true)
    }

    /// A signed text that no store writes, and what is said of it.
    struct Text: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let problem: String
        let change: @Sendable (inout [TextPair]) -> Void

        init(_ key: String, _ value: String?, _ problem: String) {
            testDescription = "\(key) = \(value ?? "nothing")"
            self.problem = problem
            change = { pairs in
                pairs.removeAll { $0.key == key && value == nil }
                pairs = pairs.map { $0.key == key ? TextPair(key, value ?? "") : $0 }
            }
        }
    }

    @Test(arguments: [
        Text("quantity", nil, "no quantity"), Text("quantity", "", "no quantity"),
        Text("quantity", "0", "below 1"), Text("quantity", "-1", "below 1"),
        Text("quantity", "03", "inconsistent"), Text("quantity", "+3", "inconsistent"),
        Text("quantity", "many", "not a number"), Text("quantity", "3.0", "not a number"),
        Text("quantity", "99999999999999999999", "not a number"),
        Text("purchase-date-ms", "9223372036854775807", "not a date"),
        Text("purchase-date-ms", "1714558830", "not valid at the time"),
        Text("purchase-date-ms", "1714558831000", "inconsistent"),
        Text("purchase-date", "2024-05-01 10:20:31 Etc/GMT", "inconsistent"),
        Text("purchase-date-pst", "2024-05-01 02:20:30 America/Los_Angeles", "inconsistent"),
        Text("original-purchase-date", nil, "inconsistent"),
        Text("original-purchase-date-ms", nil, "no original-purchase-date-ms"),
        Text("unique-vendor-identifier", "another", "for the world"),
        Text("unique-identifier", String(repeating: "0", count: 40), "for the world"),
        Text("unique-identifier", nil, "for the world"), Text("bid", nil, "no bid"),
        Text("bvrs", nil, "no bvrs"), Text("product-id", nil, "no product-id"),
        Text("transaction-id", nil, "no transaction-id"),
        Text("original-transaction-id", nil, "no original-transaction-id"),
        Text("item-id", "1", "inconsistent"), Text("item-id", nil, "inconsistent"),
    ])
    func `a signed text must have the form a store writes`(row: Text) throws {
        let authority = try TestTransactionAuthority()
        var pairs = Samples.transactionInfo.pairs(sealedFor: TestTransactionAuthority.seal)
        row.change(&pairs)
        let receipt = try authority.receipt(info: PropertyListText.text(pairs))
        let problem = refusal(authority.verifier, receipt)
        #expect(problem?.text.contains(row.problem) == true, "\(problem?.text ?? "accepted")")
    }

    @Test func `a signed text with extra, reordered or repeated keys is refused`() throws {
        let authority = try TestTransactionAuthority()
        let pairs = Samples.transactionInfo.pairs(sealedFor: TestTransactionAuthority.seal)
        for (text, problem) in [
            (pairs + [TextPair("more", "1")], "inconsistent"), (pairs.reversed(), "inconsistent"),
            (pairs + [pairs[0]], "twice"),
            (pairs + [TextPair("expires-date", "1")], "inconsistent"),
            (pairs + [TextPair("web-order-line-item-id", "x")], "not a number"),
        ] as [([TextPair], String)] {
            let receipt = try authority.receipt(info: PropertyListText.text(text))
            #expect(refusal(authority.verifier, receipt)?.text.contains(problem) == true)
        }
    }
}
