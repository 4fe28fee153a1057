import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreSigning
@testable import StoreVerification

/// The key, certificate and authority of TLS, as they are made, kept and renewed.
struct TLSIdentityTests {
    private static let day: Int64 = 86_400_000
    private static let names = Set(
        ["localhost", "api.storekit.apple.com", "127.0.0.1", "::1"].compactMap { ServerName($0) })
    private static var now: Timestamp {
        Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
    }

    private let folder = TemporaryFolder()
    private var place: String { folder.file("tls") }

    @discardableResult
    private func open(
        _ names: Set<ServerName> = Self.names, days: Int64 = 0
    ) throws -> TLSIdentity {
        try TLSIdentity(
            in: place, names: names, now: Self.now.adding(milliseconds: days * Self.day))
    }

    private func authority() throws -> [UInt8] { try folder.read("tls/authority.pem") }

    private func verify(_ certificate: [UInt8], _ arguments: [String]) throws -> Command {
        let file = try folder.write(certificate, "checked.pem")
        return try Command(
            "openssl",
            ["verify", "-x509_strict", "-purpose", "sslserver", "-CAfile"]
                + [folder.file("tls/authority.pem")] + arguments + [file])
    }

    @Test func `openssl accepts the certificate for every name, with its strictest checks`() throws
    {
        let identity = try open()
        #expect(!identity.isAuthorityReplaced)
        for arguments in [
            ["-verify_hostname", "localhost"], ["-verify_hostname", "api.storekit.apple.com"],
            ["-verify_ip", "127.0.0.1"], ["-verify_ip", "::1"],
        ] {
            let found = try verify(identity.certificate, arguments)
            #expect(found.status == 0, "\(found.output)")
        }
        for arguments in [["-verify_hostname", "apple.com"], ["-verify_ip", "127.0.0.2"]] {
            #expect(try verify(identity.certificate, arguments).status != 0)
        }
    }

    @Test func `the keys are private and the authority's certificate is not`() throws {
        let identity = try open()
        #expect(try folder.mode("tls") == 0o700)
        #expect(try folder.mode("tls/authority-key.pem") == 0o600)
        #expect(try folder.mode("tls/server.pem") == 0o600)
        #expect(try folder.mode("tls/authority.pem") == 0o644)
        #expect(!String(decoding: try authority(), as: UTF8.self).contains("PRIVATE"))
        #expect(!String(decoding: identity.certificate, as: UTF8.self).contains("PRIVATE"))
    }

    @Test func `the server's certificate lasts no longer than clients accept`() throws {
        let identity = try open()
        let der = try #require(Self.der(identity.certificate))
        let certificate = try Certificate(der)
        let seconds = certificate.notAfter.seconds - certificate.notBefore.seconds
        #expect(seconds < 398 * 86_400)
        #expect(certificate.notBefore < Self.now)
        #expect(certificate.isCertificateAuthority == false)
    }

    private static func der(_ pem: [UInt8]) -> [UInt8]? {
        let lines = String(decoding: pem, as: UTF8.self).split(separator: "\n")
        let begin = lines.lastIndex { $0.hasPrefix("-----BEGIN CERTIFICATE") } ?? 0
        return Data(base64Encoded: lines[begin...].dropFirst().dropLast().joined())
            .map { Array($0) }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var names = TLSIdentityTests.names
        var days: Int64 = 0
        let keepsServer: Bool
        let keepsAuthority: Bool
    }

    @Test(arguments: [
        Row(testDescription: "at once", keepsServer: true, keepsAuthority: true),
        Row(testDescription: "300 days later", days: 300, keepsServer: true, keepsAuthority: true),
        Row(testDescription: "310 days later", days: 310, keepsServer: false, keepsAuthority: true),
        Row(
            testDescription: "3,200 days later", days: 3_200, keepsServer: false,
            keepsAuthority: true),
        Row(
            testDescription: "3,300 days later", days: 3_300, keepsServer: false,
            keepsAuthority: false),
        Row(
            testDescription: "by a clock that is behind", days: -30, keepsServer: false,
            keepsAuthority: true),
        Row(
            testDescription: "without a name", names: [.name("localhost")], keepsServer: false,
            keepsAuthority: true),
        Row(
            testDescription: "with another name", names: names.union([.name("shop.test")]),
            keepsServer: false, keepsAuthority: false),
        Row(
            testDescription: "with another address", names: names.union([.address([10, 0, 0, 1])]),
            keepsServer: false, keepsAuthority: false),
    ])
    func `a start keeps or renews what is there`(row: Row) throws {
        let first = try open()
        let before = try authority()
        let second = try open(row.names, days: row.days)
        #expect((first.certificate == second.certificate) == row.keepsServer)
        #expect((try authority() == before) == row.keepsAuthority)
        #expect(second.isAuthorityReplaced == !row.keepsAuthority)
        let third = try open(row.names, days: row.days)
        #expect(third.certificate == second.certificate)
        #expect(!third.isAuthorityReplaced)
        let moment = Self.now.adding(milliseconds: row.days * Self.day).seconds
        let found = try verify(second.certificate, ["-attime", "\(moment)"])
        #expect(row.days < 0 || found.status == 0, "\(found.output)")
    }

    @Test func `names that come and go again need no third authority`() throws {
        try open()
        try open(Self.names.union([.name("shop.test")]))
        let second = try authority()
        try open(Self.names.union([.name("other.test")]))
        let third = try authority()
        #expect(third != second)
        try open(Self.names.union([.name("shop.test")]))
        try open(Self.names)
        #expect(try authority() == third)
    }

    @Test func `a certificate for another host is refused, even one that the authority signed`()
        throws
    {
        try open()
        let pem = try folder.read("tls/authority-key.pem")
        let key = try CurvePrivateKey(pem: pem, on: .p384)
        let authority = try Certificate(try #require(Self.der(pem)))
        for name in ["www.example.com", "apple.com", "storekit.apple.com"] {
            let template = try CertificateTemplate.tlsServer(
                IssuingChain.name("Evil"),
                publicKeyInfo: try CurvePrivateKey.make().publicKeyInfo(), names: [.name(name)],
                below: authority, from: Self.now.adding(milliseconds: -1_000),
                to: Self.now.adding(milliseconds: Self.day))
            let found = try verify(ChainMaterial.pem(try template.signed(by: key)), [])
            #expect(found.status != 0)
            #expect(found.output.contains("permitted subtree violation"), "\(found.output)")
        }
    }

    @Test(arguments: [
        "", "no PEM", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    ])
    func `a damaged file of the server is made anew, and one of the authority is named`(
        text: String
    ) throws {
        let first = try open()
        try folder.write(text, "tls/server.pem")
        chmod(folder.file("tls/server.pem"), 0o600)
        #expect(try open().certificate != first.certificate)
        try folder.write(text, "tls/authority.pem")
        try open()
        #expect(Self.der(try authority()) != nil)
        try folder.write(text, "tls/authority-key.pem")
        chmod(folder.file("tls/authority-key.pem"), 0o600)
        let failure = #expect(throws: SigningFailure.self) { try open() }
        #expect(failure?.detail.contains("authority-key.pem") == true)
        #expect(failure?.advice?.contains("backup") == true)
    }

    @Test(arguments: ["authority-key.pem", "server.pem"])
    func `a key that others may read is refused`(name: String) throws {
        try open()
        chmod(folder.file("tls/" + name), 0o644)
        let failure = #expect(throws: SigningFailure.self) { try open() }
        #expect(failure?.advice?.contains("chmod 600") == true)
    }

    @Test func `a server certificate of another authority, or for another key, is made anew`()
        throws
    {
        let first = try open()
        let other = TemporaryFolder()
        let foreign = try TLSIdentity(in: other.file("tls"), names: Self.names, now: Self.now)
        for text in [foreign.key + foreign.certificate, foreign.key + first.certificate] {
            try folder.write(text, "tls/server.pem")
            chmod(folder.file("tls/server.pem"), 0o600)
            let made = try open()
            #expect(made.certificate != foreign.certificate)
            #expect(try verify(made.certificate, []).status == 0)
        }
    }

    @Test(arguments: [
        ("localhost", ServerName.name("localhost")), ("API.Apple.com", .name("api.apple.com")),
        ("10.0.0.1", .address([10, 0, 0, 1])), ("127.1", .name("127.1")),
        ("::1", .address([UInt8](repeating: 0, count: 15) + [1])), ("", nil), ("a b", nil),
        ("caf\u{E9}", nil),
    ])
    func `a name is an address when it looks like one`(text: String, name: ServerName?) {
        #expect(ServerName(text) == name)
    }
}

/// The authority of TLS is no root of anything that the store signs.
struct TLSAuthorityTests {
    private let key: CurvePrivateKey
    private let authority: Certificate

    init() throws {
        let folder = TemporaryFolder()
        _ = try TLSIdentity(
            in: folder.file("tls"), names: [.name("localhost")],
            now: Timestamp(milliseconds: 1_714_558_830_000))
        key = try CurvePrivateKey(pem: try folder.read("tls/authority-key.pem"), on: .p384)
        let text = String(decoding: try folder.read("tls/authority.pem"), as: UTF8.self)
        let lines = text.split(separator: "\n").dropFirst().dropLast()
        authority = try Certificate(
            Array(try #require(Data(base64Encoded: lines.joined()))))
    }

    @Test func `it carries no marker, certifies servers alone and has a name of its own`() {
        for marker in [
            OID.receiptSigningMarker, .intermediateMarker, .transactionSigningMarker,
            .certificatePolicies,
        ] {
            #expect(!authority.has(marker))
        }
        #expect(
            authority.extensions[.basicConstraints]
                == .basicConstraints(isCA: true, pathLength: 0))
        #expect(authority.extensions[.keyUsage] == .certificateSigningUsage)
        #expect(String(decoding: authority.subject, as: UTF8.self).contains("Bodega TLS Authority"))
    }

    /// A chain of signed data below it, by its own key.
    private func chain() throws -> (jws: String, root: [UInt8]) {
        let (middleKey, leafKey) = (
            try CurvePrivateKey.make(on: .p384), try CurvePrivateKey.make()
        )
        let middle = try CertificateTemplate.authority(
            IssuingChain.name("Middle"), publicKeyInfo: try middleKey.publicKeyInfo(),
            below: authority, marker: .intermediateMarker
        ).signed(by: key)
        let leaf = try CertificateTemplate.leaf(
            IssuingChain.name(SignedDataChain.leafName, ofWorld: Samples.worldID),
            publicKeyInfo: try leafKey.publicKeyInfo(), below: try Certificate(middle),
            policy: .receiptSigningPolicy, marker: .receiptSigningMarker
        ).signed(by: middleKey)
        let jws = try TestDataAuthority().jws(
            certificates: [leaf, middle, authority.der], key: leafKey)
        return (jws, authority.der)
    }

    @Test func `signed data under it are refused`() throws {
        let (jws, root) = try chain()
        #expect(refusal(try SharedStore.get().dataVerifier(), jws)?.isMalformed == false)
        // Even by a verifier that trusts it: it may not have an authority below it.
        let trusting = SignedDataVerifier(
            roots: TrustedRoots([TrustedRoot(.sandbox, isTest: false, der: root)]))
        #expect(refusal(trusting, jws)?.text.contains("do not lead to the root") == true)
    }

    @Test func `a receipt with it for a root is refused`() throws {
        let genuine = try TestAuthority()
        let receipt = try genuine.receipt(certificates: [
            genuine.leaf, genuine.intermediate, authority.der,
        ])
        #expect(refusal(try SharedStore.get().receiptVerifier(), receipt) != nil)
        let trusting = ReceiptVerifier(
            roots: TrustedRoots([TrustedRoot(.sandbox, isTest: false, der: authority.der)]))
        #expect(refusal(trusting, receipt) != nil)
    }
}
