import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreSigning
@testable import StoreVerification

/// The responder, asked and checked by `openssl ocsp`.
@Suite(.ownThreads) struct OCSPResponderTests {
    private static let address = SharedStore.responder
    private let folder = TemporaryFolder()
    private let store: KeyStore
    private let leaf: Certificate
    private let intermediate: Certificate
    /// openssl compares dates with its clock.
    private let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))

    init() throws {
        store = try SharedStore.get()
        let terms = DataCertificateTerms(responder: Self.address)
        leaf = try Certificate(
            store.makeDataLeaf(.sandbox, isTest: false, worldID: Samples.worldID, terms))
        intermediate = try Certificate(
            store.makeDataIntermediate(.sandbox, isTest: false, terms))
        let root = try store.dataRoot(.sandbox, isTest: false)
        for (name, der) in [
            ("leaf", leaf.der), ("intermediate", intermediate.der), ("root", root),
            (
                "other-leaf",
                try store.makeDataLeaf(.sandbox, isTest: false, worldID: "OTHER", terms)
            ),
            ("foreign", try store.dataRoot(.production, isTest: false)),
        ] {
            try folder.write(certificatePEM(der), name + ".pem")
        }
    }

    private func openssl(_ arguments: [String]) throws -> String {
        try Command("/usr/bin/openssl", ["ocsp"] + arguments).output
    }

    private func file(_ name: String) -> String { folder.file(name + ".pem") }

    /// Names certificates with their issuers.
    private func about(_ pairs: [(certificate: String, issuer: String)]) -> [String] {
        pairs.flatMap { ["-issuer", file($0.issuer), "-cert", file($0.certificate)] }
    }

    /// The request that openssl makes.
    private func request(
        _ pairs: [(certificate: String, issuer: String)], _ options: [String] = ["-no_nonce"]
    ) throws -> [UInt8] {
        _ = try openssl(options + about(pairs) + ["-reqout", folder.file("request")])
        return try folder.read("request")
    }

    private func answer(
        _ request: [UInt8], _ status: (DataCertificateRole, String) -> CertificateStatus
    ) throws -> [UInt8] {
        try store.ocspResponder(.sandbox, isTest: false).answer(to: request, at: now, status)
    }

    /// What openssl finds in an answer.
    private func reading(
        _ answer: [UInt8], about pairs: [(certificate: String, issuer: String)],
        _ options: [String] = []
    ) throws -> String {
        try folder.write(answer, "answer")
        return try openssl(
            options + about(pairs) + [
                "-no_nonce", "-respin", folder.file("answer"), "-CAfile", file("root"),
                "-verify_other", file("intermediate"), "-resp_text",
            ])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let status: CertificateStatus
        let words: [String]
        var testDescription: String { words[0] }
    }

    @Test(
        arguments: [
            Row(status: .good, words: ["good"]), Row(status: .unknown, words: ["unknown"]),
            Row(
                status: .revoked(at: Timestamp(seconds: 1_700_000_000), .unspecified),
                words: ["revoked", "Revocation Time: Nov 14 22:13:20 2023 GMT"]),
        ]
            + CertificateRevocationReason.allCases.filter { $0 != .unspecified }.map { reason in
                Row(
                    status: .revoked(at: Timestamp(seconds: 1_700_000_000), reason),
                    words: ["revoked", "(0x\(reason.number))"])
            }, ["-sha1", "-sha256"])
    func `openssl reads what the responder says, by either digest`(row: Row, digest: String) throws
    {
        for (certificate, issuer, role, serial) in [
            ("leaf", "intermediate", DataCertificateRole.leaf, leaf.serialText),
            ("intermediate", "root", .intermediate, intermediate.serialText),
        ] {
            let pairs = [(certificate, issuer)]
            let request = try request(pairs, [digest, "-no_nonce"])
            let answer = try answer(request) { asked, number in
                #expect(asked == role && number == serial)
                return row.status
            }
            let text = try reading(answer, about: pairs, [digest])
            #expect(text.contains("Response verify OK"), "\(text)")
            #expect(text.contains("\(file(certificate)): \(row.words[0])"), "\(text)")
            for word in row.words { #expect(text.contains(word), "\(text)") }
            #expect(text.contains("Signature Algorithm: ecdsa-with-SHA256"), "\(text)")
            #expect(text.contains("OCSP Signing") && text.contains("OCSP No Check"), "\(text)")
            #expect(!text.contains("Nonce"))
        }
    }

    @Test func `a nonce is repeated and its absence too`() throws {
        let request = try request([("leaf", "intermediate")], ["-nonce"])
        let nonce = try #require(try OCSPRequest(request).nonce)
        #expect(nonce.count >= 18)
        let answer = try answer(request) { _, _ in .good }
        let text = try reading(answer, about: [("leaf", "intermediate")])
        #expect(text.contains("OCSP Nonce"), "\(text)")
        #expect(Data(answer).range(of: Data(nonce)) != nil)
    }

    @Test func `an answer lasts 15 minutes from now`() throws {
        let answer = try answer(try request([("leaf", "intermediate")])) { _, _ in .good }
        let dates = [0, 900_000].map {
            DERWriter.generalizedTime(now.adding(milliseconds: $0))
        }
        for date in dates { #expect(Data(answer).range(of: Data(date)) != nil) }
    }

    @Test func `several certificates of an issuer are answered at once`() throws {
        let pairs = [("leaf", "intermediate"), ("other-leaf", "intermediate")]
        let answer = try answer(try request(pairs)) { _, serial in
            serial == leaf.serialText ? .good : .unknown
        }
        let text = try reading(answer, about: pairs)
        #expect(text.contains("\(file("leaf")): good"), "\(text)")
        #expect(text.contains("\(file("other-leaf")): unknown"), "\(text)")
    }

    @Test func `an answer about certificates of one issuer leaves out those of others`() throws {
        let pairs = [("leaf", "intermediate"), ("intermediate", "root"), ("leaf", "foreign")]
        var asked: [String] = []
        let answer = try answer(try request(pairs)) { _, serial in
            asked.append(serial)
            return .good
        }
        #expect(asked == [leaf.serialText])
        let text = try reading(answer, about: pairs)
        #expect(text.contains("Response verify OK"), "\(text)")
        #expect(text.contains("\(file("leaf")): good"), "\(text)")
        #expect(text.contains("\(file("intermediate")): ERROR: No Status found."), "\(text)")
    }

    @Test func `nobody answers for other issuers, nor by other digests`() throws {
        for (pairs, digest) in [
            ([("leaf", "foreign")], "-sha256"), ([("leaf", "intermediate")], "-sha512"),
        ] {
            let answer = try answer(try request(pairs, [digest, "-no_nonce"])) { _, _ in .good }
            #expect(answer == [0x30, 3, 0x0A, 1, 6])
            #expect(try reading(answer, about: pairs).contains("unauthorized (6)"))
        }
    }

    @Test func `what is not a request is malformed, wherever it is cut`() throws {
        let malformed: [UInt8] = [0x30, 3, 0x0A, 1, 1]
        let good = try request([("leaf", "intermediate")], ["-nonce"])
        for count in good.indices {
            let answer = try answer(Array(good.prefix(count))) { _, _ in .good }
            #expect(answer == malformed, "\(count)")
        }
        let id = try OCSPRequest(good).certificates[0].der
        let item = DERWriter.sequence(id)
        func body(_ list: [UInt8], _ extensions: [CertificateExtension] = []) -> [UInt8] {
            let last = DERWriter.element(
                .context(2, constructed: true),
                DERWriter.element(.sequence, parts: extensions.map(\.der)))
            return DERWriter.sequence(
                DERWriter.sequence(
                    DERWriter.sequence(list), extensions.isEmpty ? [] : last))
        }
        func nonce(_ count: Int) -> CertificateExtension {
            CertificateExtension(
                .ocspNonce, value: DERWriter.octetString([UInt8](repeating: 7, count: count)))
        }
        func isGood(_ request: [UInt8]) throws -> Bool {
            let answer = try answer(request) { _, _ in .good }
            return answer != malformed
        }
        #expect(try isGood(body(item)))
        #expect(try isGood(body(item, [nonce(1)])) && isGood(body(item, [nonce(128)])))
        let unknown = OID(1, 2, 3, 4)
        #expect(
            try isGood(body(item, [CertificateExtension(unknown, value: DERWriter.null)])))
        for bad in [
            good + [0], body([]), body(item, [nonce(0)]), body(item, [nonce(129)]),
            body(item, [nonce(16), nonce(16)]),
            body(item, [CertificateExtension(.ocspNonce, value: [1, 2])]),
            body(item, [CertificateExtension(unknown, isCritical: true, value: DERWriter.null)]),
        ] {
            #expect(try !isGood(bad))
        }
        // As many as a request may have, and one more.
        let count = OCSPRequest.certificatesMax
        #expect(try isGood(body(Array(repeatElement(item, count: count).joined()))))
        #expect(try !isGood(body(Array(repeatElement(item, count: count + 1).joined()))))
    }

    @Test func `each chain has a responder of its own, with one key as long as the process runs`()
        throws
    {
        let first = try store.ocspResponder(.sandbox, isTest: false)
        #expect(try store.ocspResponder(.sandbox, isTest: false) === first)
        #expect(try store.ocspResponder(.production, isTest: false) !== first)
        #expect(try store.ocspResponder(.sandbox, isTest: true) !== first)
    }
}
