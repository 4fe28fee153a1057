import Foundation
import StoreHTTP
import StoreModel
import StoreSigning
import StoreVerification
import StoreWire
import Testing

@testable import AppStoreServer

struct SecretTests {
    private let store: TestStore
    private let hour: Int64 = 3_600_000
    private let own = "/control/v1/apps/\(TestStore.bundleID)/secrets"
    private let account = "/control/v1/developers/default/secrets"

    init() throws {
        store = try TestStore()
    }

    private func make(_ path: String, overlap: Int64? = nil) async throws -> String {
        let answer = try await store.control(
            "POST", path, body: MakeSecretBody(overlapMilliseconds: overlap))
        #expect(answer.status == 201)
        return try WireJSON.decode(MadeSecretBody.self, from: answer.body).secret
    }

    private func listed(_ path: String) async throws -> [SecretBody] {
        let answer = try await store.control("GET", path)
        return try WireJSON.decode(SecretsBody.self, from: answer.body).secrets
    }

    /// A receipt of this world with one purchase of a kind.
    private func receipt(
        of kind: ProductKind = .autoRenewable, bundleID: String = TestStore.bundleID
    ) throws -> [UInt8] {
        let payload = ReceiptPayload(
            receiptType: "ProductionSandbox", appItemID: 0, bundleID: bundleID,
            applicationVersion: "1.0", opaqueValue: Array(repeating: 1, count: 16),
            deviceHash: Array(repeating: 2, count: 20), createdAt: TestStore.start,
            downloadID: 0, versionExternalIdentifier: 0,
            purchases: [
                ReceiptPurchase(
                    quantity: 1, productID: Samples.club, transactionID: "2000000000000000",
                    purchasedAt: TestStore.start, originalTransactionID: "2000000000000000",
                    originallyPurchasedAt: TestStore.start, kind: kind)
            ],
            originalPurchaseDate: TestStore.start, originalApplicationVersion: "1.0",
            expiresAt: nil)
        return try store.registry.defaultWorld.signer(for: .sandbox).sign(payload)
    }

    /// The answer of verifyReceipt to a receipt with what stands for `password`, if anything.
    private func answer(
        _ receipt: [UInt8], password: String?, at base: String = "/sandbox"
    ) async -> String {
        let data = Data(receipt).base64EncodedString()
        let member = password.map { #","password":\#($0)"# } ?? ""
        let answer = await store.send(
            "POST", "\(base)/verifyReceipt",
            body: Array(#"{"receipt-data":"\#(data)"\#(member)}"#.utf8))
        #expect(answer.status == 200)
        return String(decoding: answer.body, as: UTF8.self)
    }

    private func isAccepted(_ secret: String) async throws -> Bool {
        let answer = await answer(try receipt(), password: "\"\(secret)\"")
        if answer == #"{"status":21004}"# { return false }
        // The purchase in it is nobody's here, which only who has the secret is told.
        #expect(answer == #"{"status":21010}"#)
        return true
    }

    @Test func `a shared secret is 32 random hexadecimal digits, shown once, stored as a digest`()
        async throws
    {
        try await store.stock()
        let secrets = [try await make(account), try await make(account), try await make(own)]
        #expect(Set(secrets).count == 3)
        for secret in secrets {
            #expect(secret.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        }
        for path in [own, account] {
            let text = String(
                decoding: try await store.control("GET", path).body, as: UTF8.self)
            for secret in secrets { #expect(!text.contains(secret)) }
        }
        let folder = (store.registry.defaultWorld.database, store.lines.all.joined())
        for secret in secrets { #expect(!folder.1.contains(secret)) }
        let digests = try folder.0.read {
            try $0.acceptedSecretDigests(
                forBundleID: TestStore.bundleID, realNow: TestStore.start)
        }
        #expect(Set(digests) == Set(secrets.map { sha256(Array($0.utf8)) }))
    }

    @Test
    func `only auto-renewable subscriptions need a shared secret, any other password is ignored`()
        async throws
    {
        try await store.stock()
        _ = try await make(account)
        for kind in [ProductKind.consumable, .nonConsumable, .nonRenewing] {
            for password in [nil, #""wrong""#, "7", "null"] as [String?] {
                let answer = await answer(try receipt(of: kind), password: password)
                #expect(answer.hasPrefix(#"{"status":0,"#))
            }
        }
    }

    @Test(
        arguments: [
            nil, #""""#, #""wrong""#, "7", "null", "[]", "{}", "true",
            #""00000000000000000000000000000000""#,
        ] as [String?])
    func `a missing or wrong secret is answered with 21004 alone`(
        password: String?
    ) async throws {
        try await store.stock()
        let receipt = try receipt()
        #expect(await answer(receipt, password: password) == #"{"status":21004}"#)
        let secret = try await make(account)
        #expect(await answer(receipt, password: password) == #"{"status":21004}"#)
        for wrong in [secret.uppercased() + "x", secret + "0", String(secret.dropLast()), " "] {
            #expect(await answer(receipt, password: "\"\(wrong)\"") == #"{"status":21004}"#)
        }
    }

    @Test func `the developer account's secret and the app's own are both accepted`() async throws {
        try await store.stock()
        #expect(try await isAccepted(try await make(account)))
        #expect(try await isAccepted(try await make(own)))
    }

    @Test func `a receipt sent to the wrong environment is redirected whatever the password`()
        async throws
    {
        try await store.stock()
        #expect(
            await answer(try receipt(), password: nil, at: "/production") == #"{"status":21007}"#)
    }

    @Test func `another account's or app's secret is refused`() async throws {
        try await store.stock()
        _ = await store.send(
            "PUT", "/control/v1/apps/com.example.other/catalog", token: TestStore.controlToken,
            body: Array(Samples.catalogue.utf8))
        _ = try await store.control(
            "POST", "/control/v1/developers", body: DeveloperBody(name: "other"))
        let foreign = [
            try await make("/control/v1/apps/com.example.other/secrets"),
            try await make("/control/v1/developers/other/secrets"),
        ]
        for secret in foreign { #expect(try await isAccepted(secret) == false) }
        let first = try await make(account)
        let assigned = try await store.control(
            "PUT", "/control/v1/apps/\(TestStore.bundleID)/developer",
            body: AppDeveloperBody(developer: "other"))
        #expect(
            try WireJSON.decode(AppBody.self, from: assigned.body).developer == "other")
        #expect(try await isAccepted(foreign[1]))
        #expect(try await isAccepted(first) == false)
        let unknown = await answer(
            try receipt(bundleID: "com.example.nobody"), password: "\"\(first)\"")
        #expect(unknown == #"{"status":21004}"#)
    }

    @Test func `a replaced secret is accepted during the overlap, by the real clock`() async throws
    {
        try await store.stock()
        let first = try await make(own)
        let second = try await make(own, overlap: hour)
        _ = try await store.control(
            "PUT", "/control/v1/clock",
            body: ClockBody(mode: .held, now: TestStore.start.adding(milliseconds: 9 * hour)))
        #expect(try await isAccepted(first))
        #expect(try await isAccepted(second))
        let times = try await listed(own)
        #expect(times.map(\.state) == [.current, .ending])
        #expect(times[1].acceptedUntil == TestStore.start.adding(milliseconds: hour))
        store.move(byMilliseconds: hour - 1)
        #expect(try await isAccepted(first))
        store.move(byMilliseconds: 1)
        #expect(try await isAccepted(first) == false)
        #expect(try await isAccepted(second))
        #expect(try await listed(own).map(\.state) == [.current, .ended])
        let third = try await make(own, overlap: 0)
        #expect(try await isAccepted(second) == false)
        #expect(try await isAccepted(third))
    }

    @Test func `rotating again does not extend an older secret's overlap`() async throws {
        try await store.stock()
        let first = try await make(own)
        _ = try await make(own, overlap: hour)
        _ = try await make(own, overlap: 10 * hour)
        store.move(byMilliseconds: hour)
        #expect(try await isAccepted(first) == false)
        #expect(try await listed(own).map(\.state) == [.current, .ending, .ended])
    }

    @Test func `the overlap is one day by default`() async throws {
        try await store.stock()
        _ = try await make(own)
        let answer = await store.send("POST", own, token: TestStore.controlToken)
        #expect(answer.status == 201)
        #expect(
            try await listed(own).last?.acceptedUntil
                == TestStore.start.adding(milliseconds: 24 * hour))
    }

    @Test func `a revoked secret is never accepted again`() async throws {
        try await store.stock()
        let secret = try await make(account)
        let number = try #require(try await listed(account).first).number
        for _ in 0..<2 {
            let answer = try await store.control("DELETE", "\(account)/\(number)")
            #expect(answer.status == 200)
            let body = try WireJSON.decode(SecretBody.self, from: answer.body)
            #expect(body.state == .revoked && body.revokedAt == TestStore.start)
            store.move(byMilliseconds: 1_000)
        }
        #expect(try await isAccepted(secret) == false)
        _ = try await make(account)
        #expect(try await listed(account).map(\.state) == [.current, .revoked])
        store.move(byMilliseconds: -hour)
        #expect(try await isAccepted(secret) == false)
        for path in ["\(own)/\(number)", "\(account)/99", "\(account)/x"] {
            let answer = try await store.control("DELETE", path)
            #expect(answer.status == 404 && errorCode(answer) == "secretUnknown")
        }
    }

    @Test func `the number of secrets accepted at once is limited`() async throws {
        try await store.stock()
        for _ in 0..<8 { _ = try await make(own) }
        let answer = try await store.control(
            "POST", own, body: MakeSecretBody(overlapMilliseconds: nil))
        #expect(answer.status == 409 && errorCode(answer) == "tooManySecrets")
        #expect(try await listed(own).map(\.state).filter { $0 == .current }.count == 1)
        _ = try await make(own, overlap: 0)
        #expect(try await listed(own).filter { $0.state == .ended }.count == 8)
    }

    @Test func `rotating without overlap ends all other secrets`() async throws {
        try await store.stock()
        let old = try await make(own)
        for _ in 0...Limits.secretsPerAnswerMax {
            _ = try await make(own, overlap: 20 * 24 * hour)
            let newest = try #require(try await listed(own).first).number
            #expect(try await store.control("DELETE", "\(own)/\(newest)").status == 200)
        }
        #expect(try await isAccepted(old))
        _ = try await make(own, overlap: 0)
        #expect(try await isAccepted(old) == false)
    }

    @Test func `the number of secrets stored per owner is limited`() async throws {
        try await store.stock()
        let owner = try store.registry.defaultWorld.database.write { scope in
            let app = SecretOwner.app(
                try scope.reading.knownApp(TestStore.bundleID).id)
            for number in 1..<Limits.secretsKeptMax {
                let id = try scope.addSecret(
                    digest: sha256(Array("\(number)".utf8)), of: app, realNow: TestStore.start)
                try scope.endSecret(id, at: TestStore.start)
            }
            return app
        }
        let last = try await make(own)
        let answer = try await store.control("POST", own)
        #expect(answer.status == 409 && errorCode(answer) == "tooManySecretsKept")
        #expect(try await isAccepted(last), "a refusal ends none")
        _ = try await make(account)
        let kept = try store.registry.defaultWorld.database.read { try $0.secretCount(of: owner) }
        #expect(kept == Limits.secretsKeptMax)
    }

    @Test(arguments: [-1, 30 * 86_400_000 + 1, Int64.max, Int64.min] as [Int64])
    func `a secret's overlap is 0 to 30 days`(milliseconds: Int64) async throws {
        try await store.stock()
        let secret = try await make(own)
        let answer = try await store.control(
            "POST", own, body: MakeSecretBody(overlapMilliseconds: milliseconds))
        #expect(answer.status == 422 && errorCode(answer) == "badField")
        #expect(try await isAccepted(secret))
    }

    @Test func `concurrent rotations leave one current secret`() async throws {
        try await store.stock()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<7 {
                group.addTask { _ = try await make(own, overlap: hour) }
            }
            try await group.waitForAll()
        }
        #expect(try await listed(own).filter { $0.state == .current }.count == 1)
    }
}
