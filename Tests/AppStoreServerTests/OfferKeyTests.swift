import Foundation
import StoreHTTP
import StoreModel
import StoreSigning
import StoreWire
import Testing

@testable import AppStoreServer

/// The keys that developers sign promotional offers with.
struct OfferKeyTests {
    private typealias F = OfferFixture

    private func ring(_ fixture: OfferFixture) throws -> OfferKeyRing {
        let app = try fixture.appID()
        return try fixture.database.read {
            try $0.offerKeyRing(of: app, bundleID: TestStore.bundleID)
        }
    }

    @Test func `an offer key is shown once and only its public half is stored`() async throws {
        let fixture = try await OfferFixture()
        let made = [try await fixture.makeKey(), try await fixture.makeKey()]
        #expect(Set(made.map(\.keyId)).count == 2)
        #expect(made[0].issuerId == made[1].issuerId)
        for body in made {
            #expect(body.keyId.wholeMatch(of: /[A-Z2-9]{10}/) != nil)
            #expect(isUUID(body.issuerId) && body.issuerId == body.issuerId.lowercased())
        }
        let listed = try await fixture.listedKeys()
        #expect(listed.issuerId == made[0].issuerId)
        #expect(listed.keys.map(\.keyId) == made.reversed().map(\.keyId))
        #expect(listed.keys.allSatisfy { $0.origin == .made && $0.revokedAt == nil })
        let keys = try ring(fixture).keys
        for body in made {
            let key = try CurvePrivateKey(pem: Array(body.privateKey.utf8))
            let info = try key.publicKeyInfo()
            #expect(keys.first { $0.id == body.keyId }?.publicKeyInfo == info)
            let secret = body.privateKey.split(separator: "\n")[1]
            #expect(!fixture.store.lines.all.joined().contains(secret))
        }
        // Nothing of the private half is in any file of the world.
        let secrets = try made.map { body -> Data in
            let text = body.privateKey.split(separator: "\n").filter { !$0.hasPrefix("-") }
            let der = try #require(Data(base64Encoded: text.joined()))
            // The number itself stands behind 36 bytes (RFC 5915).
            return der.subdata(in: 36..<68)
        }
        for name in try FileManager.default.subpathsOfDirectory(atPath: fixture.folder.path) {
            guard let bytes = FileManager.default.contents(atPath: "\(fixture.folder.path)/\(name)")
            else { continue }
            for secret in secrets { #expect(bytes.range(of: secret) == nil, "\(name)") }
        }
    }

    @Test func `a revoked offer key is never accepted again`() async throws {
        let fixture = try await OfferFixture()
        let made = try await fixture.makeKey()
        for _ in 0..<2 {
            let answer = try await fixture.store.control("DELETE", "\(F.keys)/\(made.keyId)")
            answer.expectStatus(200)
            let body = try WireJSON.decode(OfferKeyBody.self, from: answer.body)
            #expect(body.revokedAt == TestStore.start)
            fixture.store.move(byMilliseconds: 1_000)
        }
        #expect(try ring(fixture).keys.allSatisfy { $0.isRevoked })
        let other = "/control/v1/apps/com.example.other"
        for path in ["\(F.keys)/nothing", "\(F.keys)/\(made.keyId.lowercased())"] {
            let answer = try await fixture.store.control("DELETE", path)
            #expect(answer.status == 404 && errorCode(answer) == "offerKeyUnknown")
        }
        for (method, path) in [
            ("GET", "\(other)/offer-keys"), ("POST", "\(other)/offer-keys"),
            ("DELETE", "\(other)/offer-keys/\(made.keyId)"),
        ] {
            let answer = try await fixture.store.control(method, path)
            #expect(answer.status == 404 && errorCode(answer) == "appUnknown")
        }
    }

    @Test func `the number of offer keys per app is limited`() async throws {
        let fixture = try await OfferFixture()
        let app = try fixture.appID()
        try fixture.database.write { scope in
            for number in 1..<Limits.offerKeysMax {
                try scope.addOfferKey(
                    "KEY\(number)", publicKeyInfo: [UInt8(number)], origin: .made, of: app,
                    realNow: TestStore.start)
            }
        }
        let last = try await fixture.makeKey()
        let answer = try await fixture.store.control("POST", F.keys)
        #expect(answer.status == 409 && errorCode(answer) == "tooManyOfferKeys")
        try await fixture.store.control("DELETE", "\(F.keys)/\(last.keyId)").expectStatus(200)
        #expect(try await fixture.store.control("POST", F.keys).status == 409, "revoked ones count")
        let imported = await fixture.importFile(keyPair: F.pair())
        imported.expectStatus(200)
        let body = try WireJSON.decode(CatalogueImportBody.self, from: imported.body)
        #expect(
            body.keptUnused.contains(
                "subscriptionOffersKeyPair (the app has \(Limits.offerKeysMax) offer keys already)")
        )
    }

    @Test func `each developer account has its own issuer`() async throws {
        let fixture = try await OfferFixture()
        let first = try await fixture.makeKey().issuerId
        try await fixture.store.control(
            "POST", "/control/v1/developers", body: DeveloperBody(name: "other")
        ).expectStatus(201)
        try await fixture.store.control(
            "PUT", "\(F.app)/developer", body: AppDeveloperBody(developer: "other")
        ).expectStatus(200)
        let second = try #require(try await fixture.listedKeys().issuerId)
        #expect(second != first)
        #expect(try ring(fixture).issuerID == second)
        #expect(try await fixture.makeKey().issuerId == second)
        try await fixture.store.control(
            "PUT", "\(F.app)/developer", body: AppDeveloperBody(developer: "default")
        ).expectStatus(200)
        #expect(try await fixture.listedKeys().issuerId == first)
    }
}

/// A catalogue file's key pair becomes a key of its app.
struct CatalogueKeyTests {
    private typealias F = OfferFixture

    /// What an import says of the key pair; nil when it does not speak of it.
    private func said(_ fixture: OfferFixture, _ pair: String) async throws -> String? {
        let answer = await fixture.importFile(keyPair: pair)
        answer.expectStatus(200)
        let body = try WireJSON.decode(CatalogueImportBody.self, from: answer.body)
        return body.keptUnused.first { $0.hasPrefix("subscriptionOffersKeyPair") }
    }

    @Test func `a key from a catalogue file is adopted once and exported with the file`()
        async throws
    {
        let fixture = try await OfferFixture()
        for _ in 0..<2 { #expect(try await said(fixture, F.pair()) == nil) }
        let listed = try await fixture.listedKeys()
        #expect(listed.keys.map(\.keyId) == ["0FFE4000"])
        #expect(listed.keys.map(\.origin) == [.catalogue])
        #expect(listed.issuerId != nil)
        let exported = try await fixture.store.control("GET", "\(F.app)/catalog")
        #expect(String(decoding: exported.body, as: UTF8.self).contains(F.privateKey))
        // A file without it takes nothing away.
        await fixture.importFile().expectStatus(200)
        #expect(try await fixture.listedKeys().keys.count == 1)
    }

    @Test(
        arguments: [
            (
                OfferFixture.pair("0FFE4000", "bm90IGEga2V5"),
                "its private key is not a P-256 key in PKCS#8"
            ),
            (OfferFixture.pair("0FFE4000", ""), "its private key is not a P-256 key in PKCS#8"),
            (
                OfferFixture.pair("0FFE4000", "\(OfferFixture.privateKey)\\n"),
                "its private key is not a P-256 key in PKCS#8"
            ),
            (OfferFixture.pair(""), "its id is not 1 to 64 letters and digits"),
            (OfferFixture.pair("a b"), "its id is not 1 to 64 letters and digits"),
            (
                OfferFixture.pair(String(repeating: "a", count: 65)),
                "its id is not 1 to 64 letters and digits"
            ),
            (#"{ "id" : 7, "privateKey" : "x" }"#, nil), (#""a key""#, nil),
            (#"{ "privateKey" : "x" }"#, nil),
        ] as [(String, String?)])
    func `a file with a bad key is imported and the unused part is reported`(
        pair: String, why: String?
    ) async throws {
        let fixture = try await OfferFixture()
        let said = try await said(fixture, pair)
        #expect(said == "subscriptionOffersKeyPair" + (why.map { " (\($0))" } ?? ""))
        #expect(try await fixture.listedKeys() == OfferKeysBody(issuerId: nil, keys: []))
    }

    @Test func `a later file replaces an earlier file's key but not a key created here`()
        async throws
    {
        let fixture = try await OfferFixture()
        let other = try await OfferFixture()
        let made = try await other.makeKey()
        let second = made.privateKey.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        #expect(try await said(fixture, F.pair()) == nil)
        #expect(try await said(fixture, F.pair("0FFE4000", second)) == nil)
        #expect(try await fixture.listedKeys().keys.count == 1)
        let key = try CurvePrivateKey(pkcs8InBase64: second)
        let (app, info) = (try fixture.appID(), try key.publicKeyInfo())
        let kept = try fixture.database.read { try $0.offerKey("0FFE4000", of: app) }
        #expect(kept?.key.publicKeyInfo == info)
        let own = try await fixture.makeKey()
        #expect(
            try await said(fixture, F.pair(own.keyId))
                == "subscriptionOffersKeyPair (the app has another key of that id)")
    }

    @Test func `a revoked key is not adopted again under any name`() async throws {
        let fixture = try await OfferFixture()
        #expect(try await said(fixture, F.pair()) == nil)
        try await fixture.store.control("DELETE", "\(F.keys)/0FFE4000").expectStatus(200)
        for id in ["0FFE4000", "0FFE4001"] {
            #expect(
                try await said(fixture, F.pair(id))
                    == "subscriptionOffersKeyPair (the key was revoked)")
        }
        #expect(try await fixture.listedKeys().keys.map(\.revokedAt) == [TestStore.start])
    }

    @Test(arguments: ["restore", "reset", "reset all", "seed"])
    func `a revoked key stays revoked when the world is replaced`(way: String) async throws {
        let fixture = try await OfferFixture()
        let store = fixture.store
        #expect(try await said(fixture, F.pair()) == nil)
        let kept = try await fixture.makeKey().keyId
        let world = "/control/v1/worlds/default"
        try await store.control("POST", world + "/snapshots", body: MakeSnapshotBody(name: "s"))
            .expectStatus(201)
        try await store.control("DELETE", "\(F.keys)/0FFE4000").expectStatus(200)
        // Twice: what the first world took over, it hands on.
        for _ in 0..<2 {
            switch way {
            case "restore":
                try await store.control(
                    "POST", world + "/restore", body: RestoreWorldBody(snapshot: "s")
                ).expectStatus(200)
            case "seed":
                await store.send(
                    "PUT", world + "?replace=true", token: TestStore.controlToken,
                    body: Array(SeedTests.text(start: "2000000000500000").utf8)
                ).expectStatus(201)
            default:
                try await store.control(
                    "POST", world + "/reset", body: ResetWorldBody(keepCatalogue: way == "reset")
                ).expectStatus(200)
            }
        }
        #expect(
            try await said(fixture, F.pair()) == "subscriptionOffersKeyPair (the key was revoked)")
        let listed = try await fixture.listedKeys().keys
        let survives = way == "restore" || way == "reset"
        #expect(listed.filter { $0.revokedAt == nil }.map(\.keyId) == (survives ? [kept] : []))
        #expect(listed.count(where: { $0.revokedAt != nil }) == (survives ? 1 : 0))
    }
}
