import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreSigning
import StoreVerification
import StoreWire
import TestSupport
import Testing

@testable import AppStoreServer

/// What an owner does with certificates, and what the responder says of them then.
@Suite(.ownThreads) struct CertificateServiceTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func sign(_ environment: StoreEnvironment = .sandbox, in world: World? = nil) throws
        -> String
    {
        try (world ?? store.registry.defaultWorld).dataSigner(for: environment)
            .sign(Array(#"{"signedDate":1714558830123}"#.utf8), at: TestStore.start)
    }

    private func change(
        _ action: String, _ role: String = "leaf", in environment: String = "sandbox",
        world: String = "", _ body: RevokeCertificateBody? = nil
    ) async throws -> CertificateBody {
        let answer = try await store.control(
            "POST", "\(world)/control/v1/certificates/\(environment)/\(role)/\(action)", body: body)
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try WireJSON.decode(CertificateBody.self, from: answer.body)
    }

    private func list(world: String = "") async throws -> [CertificateBody] {
        let answer = try await store.control("GET", "\(world)/control/v1/certificates")
        return try WireJSON.decode(CertificatesBody.self, from: answer.body).certificates
    }

    /// The responder's word about a certificate of a JWS.
    private func status(
        of jws: String, _ role: DataCertificateRole = .leaf, at base: String = "/sandbox"
    ) async throws -> String {
        let client = try OCSPClient(jws)
        let answer = await store.send(
            "POST", base + "/ocsp", headers: [("Content-Type", "application/ocsp-request")],
            body: try client.request(about: role))
        #expect(answer.status == 200)
        #expect(answer.headers["Content-Type"] == "application/ocsp-response")
        #expect(answer.headers["Cache-Control"] == "no-store")
        return try client.status(of: role, in: answer.body).word
    }

    private func isGoodOffline(_ jws: String) throws -> Bool {
        (try? SharedKeys.store().dataVerifier().verify(jws)) != nil
    }

    private func leaf(of jws: String) throws -> Certificate {
        try Certificate(try OCSPClient.certificates(of: jws)[0])
    }

    @Test func `a world that signed nothing has no certificates`() async throws {
        #expect(try await list().isEmpty)
        _ = try sign()
        let listed = try await list()
        #expect(listed.map(\.role) == [.intermediate, .leaf])
        #expect(listed.allSatisfy { $0.environment == .sandbox && $0.isInUse })
        #expect(listed.allSatisfy { $0.ocspUrl == "http://127.0.0.1:8080/sandbox/ocsp" })
        #expect(listed.allSatisfy { $0.madeAt == TestStore.start })
    }

    @Test func `an answer of the App Store Server API without signed data makes no certificates`()
        async throws
    {
        try await store.stock()
        let sold = try await store.buy(Samples.fuel, token: try await store.signIn()).transactionId
        for environment in StoreEnvironment.allCases {
            let api = try await ServerAPIFixture(of: store, in: environment)
            for order in ["M1", "x", sold] {
                let answer = await api.ask("GET", "/inApps/v1/lookup/\(order)")
                #expect(String(decoding: answer.body, as: UTF8.self) == #"{"status":1}"#)
            }
        }
        let api = try await ServerAPIFixture(of: store)
        for path in ["v1/subscriptions", "v2/refund/lookup", "v1/refund/lookup"] {
            #expect(await api.ask("GET", "/inApps/\(path)/\(sold)").status == 200)
        }
        #expect(try await list().isEmpty)
        #expect(await api.ask("GET", "/inApps/v1/transactions/\(sold)").status == 200)
        #expect(try await list().map(\.environment) == [.sandbox, .sandbox])
    }

    @Test(arguments: DataCertificateRole.allCases)
    func `a rotation leaves what was signed before good`(role: DataCertificateRole) async throws {
        let before = try sign()
        let made = try await change("rotate", role.rawValue)
        let after = try sign()
        #expect(made.role == role && made.isInUse && made.revokedAt == nil)
        let place = role == .leaf ? 0 : 1
        let (old, new) = (
            try OCSPClient.certificates(of: before).map { try Certificate($0) },
            try OCSPClient.certificates(of: after).map { try Certificate($0) }
        )
        #expect(new[place].serialText == made.serial && old[place].serialText != made.serial)
        #expect(old[1 - place] == new[1 - place])
        #expect((old[place].publicKeyInfo != new[place].publicKeyInfo) == (role == .leaf))
        for jws in [before, after] {
            #expect(try isGoodOffline(jws))
            for role in DataCertificateRole.allCases {
                #expect(try await status(of: jws, role) == "good")
            }
        }
        let replaced = try #require(try await list().first { $0.serial == old[place].serialText })
        #expect(replaced.replacedAt == TestStore.start && !replaced.isInUse)
    }

    @Test func `a revoked certificate stays in use and revoked, and its successor is good`()
        async throws
    {
        let before = try sign()
        let revoked = try await change(
            "revoke", "leaf", RevokeCertificateBody(reason: .keyCompromise))
        #expect(revoked.serial == (try leaf(of: before).serialText))
        #expect(revoked.revokedAt == TestStore.start && revoked.reason == .keyCompromise)
        store.move(byMilliseconds: 1_000)
        let again = try await change("revoke", "leaf", RevokeCertificateBody(reason: .superseded))
        #expect(again.revokedAt == TestStore.start && again.reason == .keyCompromise)
        #expect(try await status(of: try sign()) == "revoked")
        #expect(try await status(of: before, .intermediate) == "good")
        _ = try await change("rotate")
        #expect(try await status(of: try sign()) == "good")
        #expect(try await status(of: before) == "revoked")
        #expect(try isGoodOffline(before))
    }

    @Test func `a replaced certificate is revoked by its number, and the one in use is not`()
        async throws
    {
        let before = try sign()
        _ = try await change("rotate")
        let after = try sign()
        let serial = try leaf(of: before).serialText
        let revoked = try await change("revoke", "leaf", RevokeCertificateBody(serial: serial))
        #expect(revoked.serial == serial && revoked.reason == .unspecified)
        #expect(try await status(of: before) == "revoked")
        #expect(try await status(of: after) == "good")
        let other = try await store.control(
            "POST", "/control/v1/certificates/sandbox/intermediate/revoke",
            body: RevokeCertificateBody(serial: serial))
        #expect(other.status == 404 && errorCode(other) == "certificateUnknown")
    }

    @Test(arguments: DataCertificateRole.allCases)
    func `an ended certificate goes on signing what is good until it ended`(
        role: DataCertificateRole
    ) async throws {
        let before = try sign()
        let ended = try await change("expire", role.rawValue)
        #expect(ended.notAfter == Timestamp(seconds: TestStore.start.seconds))
        let after = try sign()
        let place = role == .leaf ? 0 : 1
        let (old, new) = (
            try OCSPClient.certificates(of: before).map { try Certificate($0) },
            try OCSPClient.certificates(of: after).map { try Certificate($0) }
        )
        #expect(new[place].serialText == ended.serial)
        #expect(old[place].publicKeyInfo == new[place].publicKeyInfo)
        #expect(try isGoodOffline(after) && isGoodOffline(before))
        let verifier = try SharedKeys.store().dataVerifier()
        let later = TestStore.start.adding(milliseconds: 1_000)
        #expect(throws: VerificationRefusal.self) { try verifier.verify(after, at: later) }
        #expect(try await status(of: after, role) == "good")
        store.move(byMilliseconds: 5_000)
        #expect(try await change("expire", role.rawValue).serial == ended.serial)
        #expect(
            try await change("rotate", role.rawValue).notAfter == DataCertificateTerms.usualEnd)
    }

    @Test func `nothing done to certificates concerns another world or environment`() async throws {
        let session = try store.registry.make(try #require(WorldName("one")))
        let (own, other, foreign) = (try sign(), try sign(.production), try sign(in: session))
        for role in ["leaf", "intermediate"] {
            _ = try await change("revoke", role, world: "/t/one")
        }
        #expect(try await status(of: foreign, at: "/t/one/sandbox") == "revoked")
        #expect(try await status(of: foreign, .intermediate, at: "/t/one/sandbox") == "revoked")
        #expect(try await status(of: own) == "good")
        #expect(try await status(of: own, .intermediate) == "good")
        #expect(try await status(of: other, at: "/production") == "good")
        let address = try #require(try await list(world: "/t/one").first?.ocspUrl)
        #expect(address == "http://127.0.0.1:8080/t/one/sandbox/ocsp")
        // A session's responder does not know another session's certificates.
        let neighbour = try store.registry.make(try #require(WorldName("two")))
        #expect(try await status(of: try sign(in: neighbour), at: "/t/one/sandbox") == "unknown")
    }

    @Test func `what is no request is malformed, and what is too long for one is refused`()
        async throws
    {
        for bad in ["x", String(repeating: "A", count: 4 * OCSPResponder.requestBytesMax)] {
            let answer = await store.send("GET", "/sandbox/ocsp/" + bad)
            #expect(answer.status == 200 && answer.body == [0x30, 3, 0x0A, 1, 1])
        }
        let long = [UInt8](repeating: 0x30, count: OCSPResponder.requestBytesMax + 1)
        #expect(await store.send("POST", "/sandbox/ocsp", body: long).status == 413)
    }

    @Test(arguments: [
        ("/sandbox/ocsp/A/B/C", nil, 3), ("/production/ocsp//A+/", nil, 3),
        ("/t/ocsp/sandbox/ocsp/A/B", nil, 5), ("/ocsp/A/B", "sandbox.itunes.apple.com", 2),
        ("/sandbox/ocsp", nil, nil), ("/sandbox/device/v1/ocsp/A/B", nil, nil),
        ("/control/v1/apps/ocsp/products/A", nil, nil), ("/t/ocsp/control/v1/A", nil, nil),
        ("/ocsp/A/B", nil, nil),
    ])
    func `a path is cut short before a request to the responder, and nowhere else`(
        path: String, host: String?, expected: Int?
    ) throws {
        let store = try TestStore(places: .apple)
        let long = path + String(repeating: "A", count: 100)
        #expect(store.pathPartsMax(long, host: host) == (path == "/sandbox/ocsp" ? nil : expected))
        #expect(store.pathPartsMax(path, host: host) == nil)
    }

    @Test(arguments: [
        ("/control/v1/certificates/sandbox/root/rotate", 404),
        ("/control/v1/certificates/other/leaf/rotate", 404),
        ("/control/v1/certificates/sandbox/leaf/hold", 404),
    ])
    func `other places have no certificates`(path: String, status: Int) async throws {
        #expect(try await store.control("POST", path).status == status)
    }
}
