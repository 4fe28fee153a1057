import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

struct SignInTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func signIn(_ account: String, _ password: String, token: String) async throws
        -> HTTPResponse
    {
        await store.send(
            "POST", "/sandbox/device/v1/sign-in", token: token,
            body: try WireJSON.encode(SignInBody(account: account, password: password)))
    }

    @Test func `signing in replaces the token and returns the storefront`() async throws {
        try await store.stock(storefront: "GBR")
        let before = try await store.register()
        let answer = try await signIn("buyer", "rocket-fuel-1", token: before)
        let body = try WireJSON.decode(DeviceSessionBody.self, from: answer.body)
        #expect(body.account == "buyer")
        #expect(body.environment == "Sandbox")
        #expect(body.storefront.countryCode == "GBR")
        #expect(body.storefront.identifier == "143444")
        let old = await store.send("GET", "/sandbox/device/v1/transactions", token: before)
        #expect(old.status == 401)
    }

    @Test func `a signed-out device cannot buy`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let answer = await store.send("POST", "/sandbox/device/v1/sign-out", token: token)
        let body = try WireJSON.decode(DeviceSessionBody.self, from: answer.body)
        #expect(body.account == nil)
        #expect(
            errorCode(try await store.attempt(Samples.fuel, token: body.deviceToken))
                == "notSignedIn")
        #expect(errorCode(try await store.attempt(Samples.fuel, token: token)) == "tokenUnknown")
    }

    @Test func `a wrong password and an unknown account get the same answer`() async throws {
        try await store.stock()
        let token = try await store.register()
        let wrong = try await signIn("buyer", "wrong-password", token: token)
        let unknown = try await signIn("nobody", "wrong-password", token: token)
        #expect(wrong.status == 401)
        #expect(wrong == unknown)
    }

    @Test func `wrong guesses lock the device for a while, and a right password resets the count`()
        async throws
    {
        try await store.stock()
        let token = try await store.register()
        for _ in 0..<5 {
            #expect(try await signIn("buyer", "wrong-password", token: token).status == 401)
        }
        let locked = try await signIn("buyer", "rocket-fuel-1", token: token)
        #expect(locked.status == 423)
        #expect(locked.headers["Retry-After"] == "60")
        store.move(byMilliseconds: 60_000)
        let answer = try await signIn("buyer", "rocket-fuel-1", token: token)
        #expect(answer.status == 200)
        let again = try WireJSON.decode(DeviceSessionBody.self, from: answer.body).deviceToken
        #expect(try await signIn("buyer", "wrong-password", token: again).status == 401)
        #expect(try await signIn("buyer", "rocket-fuel-1", token: again).status == 200)
    }

    @Test func `concurrent guesses all count`() async throws {
        try await store.stock()
        let token = try await store.register()
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask { try await signIn("buyer", "wrong-password", token: token).status }
            }
            var statuses: [Int: Int] = [:]
            for try await status in group { statuses[status, default: 0] += 1 }
            return statuses
        }
        #expect(statuses == [401: 5, 423: 15])
    }

    @Test func `concurrent correct sign-ins do not lock each other out`() async throws {
        try await store.stock()
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<12 {
                group.addTask { [store] in
                    let token = try await store.register(guid: UUID().uuidString)
                    return try await signIn("buyer", "rocket-fuel-1", token: token).status
                }
            }
            var statuses: Set<Int> = []
            for try await status in group { statuses.insert(status) }
            return statuses
        }
        #expect(statuses == [200])
    }

    @Test func `a device that registers again with its token stays signed in`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        func register(guid: String) async throws -> DeviceSessionBody {
            let answer = await store.send(
                "POST", "/sandbox/device/v1/register", token: token,
                body: try WireJSON.encode(
                    RegisterDeviceBody(
                        guid: guid, bundleId: TestStore.bundleID, appVersion: "2.0")))
            return try WireJSON.decode(DeviceSessionBody.self, from: answer.body)
        }
        let foreign = try await register(guid: UUID().uuidString)
        #expect(foreign.account == nil, "the token is another device's")
        let again = try await register(guid: TestStore.guid)
        #expect(again.account == "buyer")
        let receipt = try await store.verify(try await store.receipt(token: again.deviceToken))
        #expect(receipt["receipt"]?["application_version"]?.string == "2.0")
        // The answer may have been lost: the old token works on for a little, and no longer.
        let old = await store.send("GET", "/sandbox/device/v1/receipt", token: token)
        #expect(old.status == 200)
        store.move(byMilliseconds: Limits.replacedTokenMilliseconds)
        let later = await store.send("GET", "/sandbox/device/v1/receipt", token: token)
        #expect(errorCode(later) == "tokenUnknown")
    }

    /// Registers again with a token, which is replaced by that and works on for a little.
    private func registered(with token: String) async throws -> String {
        let answer = await store.send(
            "POST", "/sandbox/device/v1/register", token: token,
            body: try WireJSON.encode(
                RegisterDeviceBody(
                    guid: TestStore.guid, bundleId: TestStore.bundleID, appVersion: "2.0")))
        return try WireJSON.decode(DeviceSessionBody.self, from: answer.body).deviceToken
    }

    @Test func `signing out also ends the device's replaced tokens`() async throws {
        try await store.stock()
        let first = try await store.signIn()
        let elsewhere = try await store.signIn(guid: UUID().uuidString)
        let second = try await registered(with: first)
        #expect(try await store.attempt(Samples.fuel, token: first).status == 200)
        let out = await store.send("POST", "/sandbox/device/v1/sign-out", token: second)
        #expect(out.status == 200)
        for token in [first, second] {
            let answer = try await store.attempt(Samples.fuel, token: token)
            #expect(errorCode(answer) == "tokenUnknown")
        }
        #expect(try await store.attempt(Samples.fuel, token: elsewhere).status == 200)
    }

    @Test func `signing in as another account ends the previous account's tokens`() async throws {
        try await store.stock()
        _ = try await store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "other", password: "rocket-fuel-2", storefront: nil))
        let first = try await store.signIn()
        let second = try await registered(with: first)
        #expect(try await signIn("other", "rocket-fuel-2", token: second).status == 200)
        for token in [first, second] {
            let answer = try await store.attempt(Samples.fuel, token: token)
            #expect(errorCode(answer) == "tokenUnknown")
        }
    }

    @Test func `a sign-in whose answer was lost can be repeated`() async throws {
        try await store.stock()
        let token = try await store.register()
        for _ in 0..<2 {
            #expect(try await signIn("buyer", "rocket-fuel-1", token: token).status == 200)
        }
    }

    @Test func `a token expires by the real clock`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        store.move(byMilliseconds: Limits.tokenMilliseconds)
        let answer = await store.send("GET", "/sandbox/device/v1/transactions", token: token)
        #expect(errorCode(answer) == "tokenUnknown")
    }

    @Test func `a test account does not work in production`() async throws {
        try await store.stock()
        let token = try await store.register(in: "/production")
        let answer = await store.send(
            "POST", "/production/device/v1/sign-in", token: token,
            body: try WireJSON.encode(SignInBody(account: "buyer", password: "rocket-fuel-1")))
        #expect(answer.status == 403)
        #expect(errorCode(answer) == "testAccount")
        let foreign = await store.send("GET", "/sandbox/device/v1/receipt", token: token)
        #expect(errorCode(foreign) == "tokenUnknown")
        let own = try await store.signIn(guid: UUID().uuidString)
        let sold = try await store.attempt(Samples.fuel, token: own, in: "/production")
        #expect(errorCode(sold) == "tokenUnknown")
        #expect(try await store.attempt(Samples.fuel, token: own).status == 200)
    }

    @Test(arguments: [
        (#"{"guid":"x","bundleId":"com.example.rocketcar","appVersion":"1"}"#, 422),
        (
            #"{"guid":"6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11","bundleId":"com/x","appVersion":"1"}"#,
            422
        ),
        (
            #"{"guid":"6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11","bundleId":"com.absent","appVersion":"1"}"#,
            404
        ),
        (
            #"{"guid":"6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11","bundleId":"com.example.rocketcar","appVersion":""}"#,
            422
        ),
        (#"{"bundleId":"com.example.rocketcar","appVersion":"1"}"#, 400),
    ])
    func `an invalid device registration is refused`(text: String, status: Int) async throws {
        try await store.stock()
        let answer = await store.send(
            "POST", "/sandbox/device/v1/register", body: Array(text.utf8))
        #expect(answer.status == status)
    }

    @Test(arguments: [
        MakeAccountBody(environment: .sandbox, name: "", password: "long-enough", storefront: nil),
        MakeAccountBody(environment: .sandbox, name: "a", password: "short", storefront: nil),
        MakeAccountBody(
            environment: .sandbox, name: "a", password: "long-enough", storefront: "XXX"),
    ])
    func `an account that breaks a naming or password rule is not created`(body: MakeAccountBody)
        async throws
    {
        let answer = try await store.control("POST", "/control/v1/accounts", body: body)
        #expect(answer.status == 422)
        let list = try await store.control("GET", "/control/v1/accounts")
        #expect(try WireJSON.decode(AccountsBody.self, from: list.body).accounts.isEmpty)
    }

    @Test func `an account name is unique per environment`() async throws {
        try await store.stock()
        let again = try await store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "buyer", password: "another-one", storefront: nil))
        #expect(again.status == 409)
    }

    @Test func `no log line contains a token, a password or a receipt`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        _ = try await store.buy(Samples.fuel, token: token)
        let receipt = Data(try await store.receipt(token: token)).base64EncodedString()
        let lines = store.lines.all.joined(separator: "\n")
        #expect(lines.contains("\"event\":\"purchased\""))
        #expect(lines.contains("\"transaction\":2000000000000000"))
        #expect(lines.contains("\"request\":"))
        for secret in [token, "rocket-fuel-1", String(receipt.prefix(40)), TestStore.controlToken] {
            #expect(!lines.contains(secret))
        }
    }
}
