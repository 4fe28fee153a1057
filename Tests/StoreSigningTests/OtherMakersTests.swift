import StoreModel
import TestSupport
import Testing

@testable import StoreSigning
@testable import StoreVerification

/// Receipts that `openssl cms` made, not our writer.
struct OtherMakersTests {
    /// How a container is made, and whether it is a receipt.
    struct Row: Sendable {
        let options: [String]
        let problem: String?

        init(_ options: [String], _ problem: String?) {
            (self.options, self.problem) = (options, problem)
        }
    }

    static func files(_ authority: TestAuthority) throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        for (name, der) in [
            ("leaf", authority.leaf), ("middle", authority.intermediate),
            ("root", authority.root),
        ] {
            try folder.write(der, "\(name).der")
            let made = try Command(
                "openssl",
                [
                    "x509", "-inform", "der", "-in", folder.file("\(name).der"), "-out",
                    folder.file("\(name).pem"),
                ])
            try #require(made.status == 0)
        }
        try folder.write(try folder.read("middle.pem") + folder.read("root.pem"), "above.pem")
        try folder.write(try authority.leafKey.pem(), "leaf.key")
        try folder.write(try authority.payload(), "payload.der")
        return folder
    }

    @Test(arguments: [
        Row(["-noattr", "-md", "sha256"], nil),
        Row(["-noattr", "-md", "sha1"], nil),
        Row(["-noattr", "-md", "sha384"], "not a digest of receipts"),
        Row(["-md", "sha256"], "[0]"),
        Row(["-noattr", "-md", "sha256", "-keyid"], "was expected here"),
        Row(["-noattr", "-md", "sha256", "-stream"], "indefinite"),
        Row(["-noattr", "-md", "sha256", "-nocerts"], "carries 3 certificates"),
        Row(["-noattr", "-md", "sha256", "-keyopt", "rsa_padding_mode:pss"], "was expected here"),
    ])
    func `a PKCS #7 container of another maker is judged alike`(row: Row) throws {
        let authority = try TestAuthority()
        let folder = try Self.files(authority)
        let detached = row.options.contains("-stream") ? [] : ["-nodetach"]
        let made = try Command(
            "openssl",
            [
                "cms", "-sign", "-binary", "-outform", "der", "-in", folder.file("payload.der"),
                "-signer", folder.file("leaf.pem"), "-inkey", folder.file("leaf.key"),
                "-certfile", folder.file("above.pem"), "-out", folder.file("receipt.der"),
            ]
                + detached + row.options
                + (row.options.contains("-stream") ? ["-nodetach"] : []))
        try #require(made.status == 0, "\(made.output)")
        let problem = refusal(authority.verifier, try folder.read("receipt.der"))
        guard let expected = row.problem else {
            #expect(problem == nil)
            return
        }
        #expect(problem?.isMalformed == !expected.hasPrefix("carries"))
        #expect(problem?.text.contains(expected) == true, "\(problem as Any)")
    }

    @Test func `a container without its content is malformed`() throws {
        let authority = try TestAuthority()
        let folder = try Self.files(authority)
        let made = try Command(
            "openssl",
            [
                "cms", "-sign", "-binary", "-noattr", "-outform", "der", "-in",
                folder.file("payload.der"), "-signer", folder.file("leaf.pem"), "-inkey",
                folder.file("leaf.key"), "-out", folder.file("receipt.der"),
            ])
        try #require(made.status == 0, "\(made.output)")
        #expect(
            refusal(authority.verifier, try folder.read("receipt.der"))?.isMalformed == true)
    }

    @Test(arguments: StoreEnvironment.allCases, [false, true])
    func `openssl verifies our receipts and returns the payload`(
        environment: StoreEnvironment, isTest: Bool
    ) throws {
        let folder = TemporaryFolder()
        let receipt = try SharedStore.signer(environment, isTest: isTest).sign(Samples.payload())
        let container = try ReceiptContainer(receipt)
        try folder.write(receipt, "receipt.der")
        try folder.write(
            try SharedStore.get().rootCertificate(environment, isTest: isTest), "root.der")
        let converted = try Command(
            "openssl",
            [
                "x509", "-inform", "der", "-in", folder.file("root.der"), "-out",
                folder.file("root.pem"),
            ])
        try #require(converted.status == 0)
        let verified = try Command(
            "openssl",
            [
                "cms", "-verify", "-inform", "der", "-in", folder.file("receipt.der"), "-CAfile",
                folder.file("root.pem"), "-purpose", "any", "-x509_strict", "-out",
                folder.file("payload.der"),
            ])
        #expect(verified.status == 0, "\(verified.output)")
        #expect(try folder.read("payload.der") == container.reader.contents(of: container.payload))
    }
}
