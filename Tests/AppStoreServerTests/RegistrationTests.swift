import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Anybody may register devices: what that can cost is bounded.
struct RegistrationTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func rows(_ sql: String) throws -> Int64 {
        try store.registry.defaultWorld.database.read { try $0.row(sql)?.integer(0) ?? -1 }
    }

    private func body(_ guid: String, version: String = "1.0") throws -> [UInt8] {
        try WireJSON.encode(
            RegisterDeviceBody(guid: guid, bundleId: TestStore.bundleID, appVersion: version))
    }

    private func empty(_ guard: RegistrationGuard) {
        for _ in 0..<Limits.registrationsAtOnceMax {
            #expect(`guard`.take(realNow: TestStore.start) == nil)
        }
    }

    @Test func `device registrations beyond a world's limit are refused and change nothing`()
        async throws
    {
        try await store.stock()
        empty(store.registry.defaultWorld.registrations)
        let path = "/sandbox/device/v1/register"
        let answer = await store.send("POST", path, body: try body(UUID().uuidString))
        #expect(answer.status == 429)
        #expect(answer.headers["Retry-After"] == "1")
        #expect(
            String(decoding: answer.body, as: UTF8.self)
                == #"{"error":{"code":"tooManyRegistrations","message":"Too many devices registered "#
                + #"in this world; try again in 1 seconds."}}"#)
        #expect(try rows("SELECT count(*) FROM device") == 0)
        #expect(try rows("SELECT count(*) FROM device_token") == 0)
        store.move(byMilliseconds: 1_000)
        #expect(await store.send("POST", path, body: try body(UUID().uuidString)).status == 200)
    }

    @Test func `a device with a good token registers again although registrations are exhausted`()
        async throws
    {
        try await store.stock()
        let signedIn = try await store.signIn()
        let plain = UUID().uuidString
        let unsigned = try await store.register(guid: plain)
        let registrations = store.registry.defaultWorld.registrations
        while registrations.take(realNow: TestStore.start) == nil {}
        let path = "/sandbox/device/v1/register"
        for (guid, token) in [(TestStore.guid, signedIn), (plain, unsigned)] {
            let answer = await store.send("POST", path, token: token, body: try body(guid))
            #expect(answer.status == 200)
        }
        // Neither without the token, nor with that of another device.
        for token in [nil, signedIn] {
            let answer = await store.send("POST", path, token: token, body: try body(plain))
            #expect(errorCode(answer) == "tooManyRegistrations")
        }
    }

    @Test func `registering again and again with a good token keeps a limited number of tokens`()
        async throws
    {
        try await store.stock()
        var token = try await store.signIn()
        for _ in 0..<(Limits.tokensPerDeviceMax * 2) {
            let answer = await store.send(
                "POST", "/sandbox/device/v1/register", token: token,
                body: try body(TestStore.guid))
            token = try WireJSON.decode(DeviceSessionBody.self, from: answer.body).deviceToken
        }
        #expect(
            try rows("SELECT count(*) FROM device_token WHERE account_id IS NOT NULL")
                == Limits.tokensPerDeviceMax)
        let answer = await store.send("GET", "/sandbox/device/v1/transactions", token: token)
        #expect(answer.status == 200)
    }

    @Test func `each world has its own registration limit`() async throws {
        try await store.stock()
        _ = try await store.control(
            "POST", "/control/v1/worlds", body: MakeWorldBody(name: "one"))
        try await store.stock(world: "/t/one")
        empty(store.registry.defaultWorld.registrations)
        _ = try await store.register(in: "/t/one/sandbox")
    }

    @Test
    func `the registration bucket refills with time up to its size, never by a clock going back`() {
        let bucket = RegistrationGuard()
        empty(bucket)
        let second = 1_000 as Int64
        #expect(bucket.take(realNow: TestStore.start) == 1)
        #expect(bucket.take(realNow: TestStore.start.adding(milliseconds: -second)) == 1)
        let later = TestStore.start.adding(milliseconds: 60 * second)
        var taken = 0 as Int64
        while bucket.take(realNow: later) == nil { taken += 1 }
        #expect((Limits.registrationsPerMinuteMax...).contains(taken))
        #expect(taken <= Limits.registrationsPerMinuteMax + Limits.registrationsPerMinuteMax / 60)
        let muchLater = later.adding(milliseconds: 1_000_000 * second * 60)
        taken = 0
        while bucket.take(realNow: muchLater) == nil { taken += 1 }
        #expect(taken == Limits.registrationsAtOnceMax)
    }

    @Test func `only devices unused for a day are dropped`() async throws {
        try await store.stock()
        let signedIn = try await store.signIn()
        let buyer = try await store.signIn(guid: UUID().uuidString)
        _ = try await store.buy(Samples.fuel, token: buyer)
        _ = await store.send("POST", "/sandbox/device/v1/sign-out", token: buyer)
        let guessing = try await store.register(guid: UUID().uuidString)
        let wrong = SignInBody(account: "buyer", password: "wrong")
        _ = await store.send(
            "POST", "/sandbox/device/v1/sign-in", token: guessing,
            body: try WireJSON.encode(wrong))
        #expect(try rows("SELECT count(*) FROM device_guess") == 1)
        for _ in 0..<9 { _ = try await store.register(guid: UUID().uuidString) }
        #expect(try rows("SELECT count(*) FROM device") == 12)
        store.move(byMilliseconds: Limits.unusedDeviceMilliseconds - 1)
        let young = try await store.register(guid: UUID().uuidString)
        #expect(try rows("SELECT count(*) FROM device") == 13)
        store.move(byMilliseconds: 2)
        // Each of these looks at four; the signed-in, the buyer's and four young ones stay.
        for _ in 0..<3 { _ = try await store.register(guid: UUID().uuidString) }
        for _ in 0..<4 { _ = try await store.register() }
        #expect(try rows("SELECT count(*) FROM device") == 6)
        #expect(try rows("SELECT count(*) FROM device_guess") == 0)
        #expect(
            try rows(
                "SELECT count(*) FROM device_token WHERE device_id NOT IN (SELECT id FROM device)")
                == 0)
        for token in [signedIn, young] {
            let answer = await store.send(
                "POST", "/sandbox/device/v1/products", token: token,
                body: Array(#"{"productIdentifiers":[]}"#.utf8))
            #expect(answer.status == 200)
        }
    }

    @Test func `a dropped device can register again`() async throws {
        try await store.stock()
        let guid = UUID().uuidString
        let token = try await store.register(guid: guid)
        store.move(byMilliseconds: Limits.unusedDeviceMilliseconds + 1)
        for _ in 0..<2 { _ = try await store.register(guid: UUID().uuidString) }
        let gone = await store.send(
            "POST", "/sandbox/device/v1/products", token: token,
            body: Array(#"{"productIdentifiers":[]}"#.utf8))
        #expect(gone.status == 401)
        #expect(errorCode(gone) == "tokenUnknown")
        _ = try await store.signIn(guid: guid)
    }

    @Test func `a device that registers again and again holds a limited number of tokens`()
        async throws
    {
        try await store.stock()
        let signedIn = try await store.signIn()
        for _ in 0..<(Limits.tokensPerDeviceMax * 3) { _ = try await store.register() }
        #expect(
            try rows("SELECT count(*) FROM device_token WHERE account_id IS NULL")
                == Limits.tokensPerDeviceMax)
        let answer = await store.send("GET", "/sandbox/device/v1/transactions", token: signedIn)
        #expect(answer.status == 200, "a stranger's registrations sign nobody out")
    }

    @Test func `registering a known device without its token signs nobody in`() async throws {
        try await store.stock()
        let owner = try await store.signIn()
        _ = try await store.buy(Samples.turbo, token: owner)
        let stranger = try await store.register()
        for path in ["transactions", "receipt", "updates"] {
            let answer = await store.send(
                "GET", "/sandbox/device/v1/\(path)", token: stranger)
            #expect(answer.status == 401)
            #expect(errorCode(answer) == "notSignedIn")
        }
    }
}
