import StoreModel
import TestSupport
import Testing

@testable import StoreSigning
@testable import StoreVerification

struct CertificateTests {
    @Test(arguments: StoreEnvironment.allCases, [false, true])
    func `openssl accepts a certificate chain under its strictest rules`(
        environment: StoreEnvironment, isTest: Bool
    ) throws {
        let receipt = try SharedStore.signer(environment, isTest: isTest).sign(Samples.payload())
        let folder = TemporaryFolder()
        try folder.write(receipt, "receipt.der")
        let list = try Command(
            "openssl",
            [
                "pkcs7", "-inform", "der", "-in", folder.file("receipt.der"), "-print_certs",
                "-out", folder.file("all.pem"),
            ])
        try #require(list.status == 0, "\(list.output)")
        let text = String(decoding: try folder.read("all.pem"), as: UTF8.self)
        let blocks = text.split(separator: "-----BEGIN CERTIFICATE-----").dropFirst().map {
            "-----BEGIN CERTIFICATE-----" + $0
        }
        try #require(blocks.count == 3)
        for (name, block) in zip(["leaf", "middle", "root"], blocks) {
            try folder.write(Array(block.utf8), "\(name).pem")
        }
        let checked = try Command(
            "openssl",
            [
                "verify", "-x509_strict", "-auth_level", "2", "-purpose", "any", "-CAfile",
                folder.file("root.pem"), "-untrusted", folder.file("middle.pem"),
                folder.file("leaf.pem"),
            ])
        #expect(checked.status == 0, "\(checked.output)")
        let leaf = try Command(
            "openssl", ["x509", "-in", folder.file("leaf.pem"), "-noout", "-text"])
        for line in [
            "OU = \(Samples.worldID)", "CN = Mac App Store and iTunes Store Receipt Signing",
            "Not Before: Jan  1 00:00:00 2000 GMT", "Not After : Dec 31 23:59:59 2099 GMT",
            "Signature Algorithm: sha256WithRSAEncryption", "CA:FALSE", "Digital Signature",
            "Policy: 1.2.840.113635.100.5.6.1", "1.2.840.113635.100.6.11.1",
        ] {
            #expect(leaf.output.contains(line), "\(line)")
        }
        #expect(!leaf.output.contains("Apple"))
        let middle = try Command(
            "openssl", ["x509", "-in", folder.file("middle.pem"), "-noout", "-text"])
        for line in [
            "CA:TRUE, pathlen:0", "1.2.840.113635.100.6.2.1", "Certificate Sign, CRL Sign",
        ] {
            #expect(middle.output.contains(line), "\(line)")
        }
    }

    @Test func `certificate fields are read as written`() throws {
        let authority = try TestAuthority()
        let leaf = try Certificate(authority.leaf)
        #expect(leaf.der == authority.leaf)
        #expect(leaf.organizationalUnits == [Samples.worldID])
        #expect(leaf.issuer == (try Certificate(authority.intermediate)).subject)
        #expect(leaf.isCertificateAuthority == false)
        #expect(leaf.has(.receiptSigningMarker) && !leaf.has(.intermediateMarker))
        #expect(leaf.extensions[.receiptSigningMarker]?.isCritical == false)
        #expect(leaf.extensions[.receiptSigningMarker]?.value == [0x05, 0x00])
        #expect(leaf.extensions[.basicConstraints]?.isCritical == true)
        #expect(leaf.isValid(at: Samples.moment("2099-12-31T23:59:59Z")))
        #expect(!leaf.isValid(at: Samples.moment("2100-01-01T00:00:00Z")))
        #expect(!leaf.isValid(at: Samples.moment("1999-12-31T23:59:59Z")))
    }

    @Test func `a certificate truncated or changed in any byte never traps`() throws {
        let leaf = try TestAuthority().leaf
        for count in 0..<leaf.count {
            #expect(throws: DERError.self) { try Certificate(Array(leaf.prefix(count))) }
        }
        for byte in leaf.indices {
            for bit in 0..<8 {
                var altered = leaf
                altered[byte] ^= 1 << UInt8(bit)
                _ = try? Certificate(altered)
            }
        }
    }

    @Test(
        arguments: [
            ("170d3439303130313030303030305a", "2049-01-01T00:00:00Z"),
            ("170d3530303130313030303030305a", "1950-01-01T00:00:00Z"),
            ("170d3439313330313030303030305a", nil), ("170b343930313031303030305a", nil),
            ("17113439303130313030303030302b30303030", nil), ("1700", nil),
            ("180f32303530303130313030303030305a", "2050-01-01T00:00:00Z"),
            ("181132303530303130313030303030302e355a", nil),
            ("170dc3a9c3a9c3a9c3a9c3a9c3a95a", nil),
        ] as [(String, String?)])
    func `certificate times are read strictly`(bytes: String, date: String?) throws {
        let authority = try TestAuthority()
        var found: Timestamp?
        if let fields = try? Certificate(
            authority.leaf.replacing(
                hex("170d3030303130313030303030305a"), with: hex(bytes)))
        {
            found = fields.notBefore
        }
        #expect(found == date.map(Samples.moment))
    }
}

extension [UInt8] {
    /// A certificate with other bytes in one place of its validity, and lengths to match.
    fileprivate func replacing(_ old: [UInt8], with new: [UInt8]) throws -> [UInt8] {
        var outer = DERReader(self)
        var certificate = try outer.enter(.sequence)
        var fields = try certificate.enter(.sequence)
        var parts: [[UInt8]] = []
        while !fields.isAtEnd {
            let element = try fields.next()
            let whole = Array(self[element.whole])
            let isValidity = Array(self[element.contents].prefix(old.count)) == old
            parts.append(
                isValidity
                    ? DERWriter.element(
                        .sequence, new + Array(self[element.contents].dropFirst(old.count)))
                    : whole)
        }
        let rest = Array(self[certificate.remaining])
        return DERWriter.sequence(DERWriter.element(.sequence, Array(parts.joined())), rest)
    }
}
