import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Secrets that go through a store, and that no request shown by the inspector has.
struct InspectorSecretTests {
    private static let password = "a-Password-4711"

    /// Everything that the inspector tells of a world.
    private func told(_ store: TestStore, world: String = "") async throws -> String {
        let answer = try await store.control("GET", "\(world)/control/v1/activity")
        let numbers = try WireJSON.decode(ActivitiesBody.self, from: answer.body).requests
            .map(\.number)
        var text = String(decoding: answer.body, as: UTF8.self)
        for number in numbers {
            let one = try await store.control("GET", "\(world)/control/v1/activity/\(number)")
            #expect(one.status == 200)
            text += String(decoding: one.body, as: UTF8.self)
        }
        return text
    }

    private func made<Body: Decodable>(
        _ store: TestStore, _ path: String, _ body: (any Encodable)? = nil
    ) async throws -> Body {
        let answer = try await store.control("POST", "/control/v1\(path)", body: body)
        try #require(answer.status == 201, "\(String(decoding: answer.body, as: UTF8.self))")
        return try WireJSON.decode(Body.self, from: answer.body)
    }

    @Test func `no secret of the owner's endpoints is told`() async throws {
        let fixture = try await OfferFixture(inspector: Inspector())
        let store = fixture.store
        let app = "/apps/\(TestStore.bundleID)"
        var secrets = [Self.password, TestStore.controlToken]
        let account: AccountBody = try await made(
            store, "/accounts",
            MakeAccountBody(
                environment: .sandbox, name: "cleo", password: Self.password, storefront: nil))
        #expect(account.name == "cleo")
        try await store.control(
            "POST", "/control/v1/accounts/password",
            body: ["name": "cleo", "password": Self.password + "-new"]
        ).expectStatus(200)
        let secret: MadeSecretBody = try await made(
            store, "\(app)/secrets", MakeSecretBody(overlapMilliseconds: nil))
        secrets.append(secret.secret)
        let key: MadeOfferKeyBody = try await made(store, "\(app)/offer-keys")
        secrets += key.privateKey.split(separator: "\n").map(String.init)
        let gift: MadeGiftCodeBody = try await made(
            store, "/gift-codes",
            MakeGiftCodeBody(amount: "25", currency: Storefront.default.currency))
        secrets.append(gift.code)
        try await store.control(
            "POST", "/control/v1/accounts/credit/redeem",
            body: RedeemGiftCodeBody(environment: .sandbox, name: "cleo", code: gift.code)
        ).expectStatus(200)
        let batch = try await fixture.makeCode(
            MakeOfferCodeBody(offerId: OfferFixture.fair, count: 3))
        secrets += try #require(batch.codes)
        _ = try await fixture.makeCode(
            MakeOfferCodeBody(offerId: OfferFixture.show, word: "SUMMERTIME", redemptionsMax: 9))
        // Again for another offer, which is refused.
        try await store.control(
            "POST", OfferFixture.codes,
            body: MakeOfferCodeBody(
                offerId: OfferFixture.fair, word: "SUMMERTIME", redemptionsMax: 9)
        ).expectStatus(409)
        secrets.append("SUMMERTIME")
        await fixture.importFile(keyPair: OfferFixture.pair()).expectStatus(200)
        secrets.append(String(OfferFixture.privateKey.prefix(40)))
        var target = SetNotificationTargetBody(
            url: "https://notified.example.com/here?hook=webhook-secret-1")
        secrets.append("webhook-secret-1")
        target.version = .v1
        target.sharedSecret = secret.secret
        try await store.control(
            "PUT", "/control/v1\(app)/notification-targets/sandbox", body: target
        ).expectStatus(200)
        let text = try await told(store)
        for secret in secrets { #expect(!text.contains(secret), "\(secret)") }
        // They are counted, and what is no secret is there.
        #expect(text.contains(#"\"password\":\"<\#(Self.password.utf8.count) bytes>\""#))
        #expect(text.contains("cleo") && text.contains(key.keyId))
        #expect(text.contains("giftCodeMade") && text.contains("offerKeyMade"))
    }

    @Test func `no secret of the endpoints of devices and servers is told`() async throws {
        let fixture = try await OfferFixture(inspector: Inspector())
        let store = fixture.store
        var secrets: [String] = []
        let first = try await store.register()
        _ = await store.send(
            "POST", "/sandbox/device/v1/sign-in", token: first,
            body: try WireJSON.encode(SignInBody(account: "ada", password: Self.password)))
        let second = try await store.signIn(guid: UUID().uuidString, account: "ada")
        secrets += [first, second, Self.password, "rocket-fuel-1"]
        let code = try #require(
            try await fixture.makeCode(MakeOfferCodeBody(offerId: OfferFixture.fair, count: 1))
                .codes?.first)
        _ = await store.send(
            "POST", "/sandbox/device/v1/offer-codes/redeem?signed=true", token: second,
            body: try WireJSON.encode(RedeemOfferCodeBody(attemptId: UUID().uuidString, code: code))
        )
        secrets.append(code)
        let signature = Data("a signature that is wrong".utf8).base64EncodedString()
        let jws = "eyJhbGciOiJFUzI1NiJ9.eyJub25jZSI6InZlcnkgc2VjcmV0In0.c2lnbmF0dXJlLWJ5dGVz"
        for discount in [
            DiscountBody(
                identifier: OfferFixture.spring, keyIdentifier: "KEY1", nonce: UUID().uuidString,
                signature: signature, timestamp: 1), DiscountBody(identifier: nil, compactJWS: jws),
        ] {
            _ = await store.send(
                "POST", "/sandbox/device/v1/attempts?receipts=true", token: second,
                body: try WireJSON.encode(
                    AttemptRequestBody(
                        attemptId: UUID().uuidString, productId: Samples.club, quantity: 1,
                        applicationUsername: nil,
                        discount: discount)))
        }
        secrets += [signature, jws, String(jws.dropFirst(30))]
        _ = try await store.attempt(Samples.fuel, token: second, in: "/sandbox")
        let bought = await store.send(
            "POST", "/sandbox/device/v1/attempts?receipts=true", token: second,
            body: try WireJSON.encode(
                AttemptRequestBody(
                    attemptId: UUID().uuidString, productId: Samples.fuel, quantity: 1,
                    applicationUsername: nil)))
        let receipts = try #require(
            try WireJSON.decode(AttemptAnswerBody.self, from: bought.body).receipts)
        secrets += [receipts.receipt, receipts.transactionReceipt].map { String($0.prefix(60)) }
        let receipt = Data(try await store.receipt(token: second)).base64EncodedString()
        secrets.append(String(receipt.dropFirst(100).prefix(80)))
        for body in [
            #"{"receipt-data":"\#(receipt)","password":"\#(Self.password)"}"#,
            #"{"receipt-data":"\#(receipt)","PASSWORD":"\#(Self.password)","p\u0061ssword":"\#(Self.password)"}"#,
            // Bodies that are not JSON.
            #"{"receipt-data":"\#(receipt)","password":"\#(Self.password)""#,
            "password=\(Self.password)&receipt=\(receipt)",
            "</script>\u{202E}\(Self.password)\u{0}",
        ] {
            _ = await store.send("POST", "/sandbox/verifyReceipt", body: Array(body.utf8))
        }
        let server = try await ServerAPIFixture(of: store)
        secrets.append(server.token)
        _ = await server.ask("GET", "/inApps/v1/transactions/17?password=\(Self.password)")
        _ = await store.send(
            "GET", "/sandbox/device/v1/receipt?deviceToken=\(second)", token: second,
            headers: [("Cookie", "session=\(Self.password)"), ("X-Api-Key", Self.password)])
        let info = await server.ask("GET", "/inApps/v2/history/\(2_814_749_767_106_561)")
        #expect(info.status == 404)
        let text = try await told(store)
        for secret in secrets { #expect(!text.contains(secret), "\(secret.prefix(40))") }
        #expect(text.contains("sign-in") && text.contains("receiptRefused"))
        #expect(text.contains("password=<\(Self.password.utf8.count) bytes>"))
    }

    @Test func `a body of a mebibyte that is not JSON is only counted`() async throws {
        let store = try TestStore(inspector: Inspector())
        let body = [UInt8](repeating: 0xFE, count: 1 << 20)
        _ = await store.send("POST", "/sandbox/verifyReceipt", body: body)
        let shown: ActivityDetailsBody = try await store.list("/activity/1")
        #expect(shown.requestBody?.text == nil && shown.requestBody?.bytes == 1 << 20)
        #expect(shown.requestBody?.sha256 == nil && shown.requestBody?.isCut == true)
        #expect(shown.entry.code == "21000")
    }

    @Test func `a digest of the whole body is told only where no secret can be guessed by it`()
        async throws
    {
        let store = try TestStore(inspector: Inspector())
        let bodies: [([UInt8], Bool)] = [
            (Array(#"{"a":1}"#.utf8), true), (Array(#"{"password":"a"}"#.utf8), false),
            (Array("password=a".utf8), false), ([0xFE, 0x00, 0x01], true),
            (
                Array(
                    "{\"a\":\"\(String(repeating: "b ", count: 9_000))\",\"password\":\"a\"}".utf8),
                false
            ),
        ]
        for (number, (body, isTold)) in zip(1..., bodies) {
            _ = await store.send("POST", "/sandbox/verifyReceipt", body: body)
            let shown: ActivityDetailsBody = try await store.list("/activity/\(number)")
            #expect((shown.requestBody?.sha256 != nil) == isTold, "\(number)")
            #expect(shown.requestBody?.bytes == Int64(body.count))
        }
    }

    @Test func `hidden characters of a path, a header and a body are shown as escapes`()
        async throws
    {
        let store = try TestStore(inspector: Inspector())
        _ = await store.send(
            "POST", "/sandbox/\u{202E}evil", headers: [("User-Agent", "a\u{200B}b")],
            body: Array("{\"a\":\"\u{202E}\"}".utf8))
        let shown: ActivityDetailsBody = try await store.list("/activity/1")
        #expect(shown.entry.path == "/sandbox/\\u{202E}evil")
        #expect(shown.headers.first?.value == "a\\u{200B}b")
        #expect(shown.requestBody?.text == #"{"a":"\u202e"}"#)
    }
}
