import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Accounts without a password, and devices on which the owner signs accounts in.
struct OwnerSignInTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func addAccount(_ name: String) async throws {
        try await store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: name, password: nil, storefront: "DEU")
        ).expectStatus(201)
    }

    private func makeDevice(
        guid: String = TestStore.guid, account: String = "quiet",
        in environment: StoreEnvironment? = nil, app: String = TestStore.bundleID,
        version: String = "1.0"
    ) async throws -> HTTPResponse {
        try await store.control(
            "POST", "/control/v1/devices",
            body: MakeDeviceBody(
                guid: guid, environment: environment, account: account, bundleId: app,
                appVersion: version))
    }

    private func session(_ answer: HTTPResponse) throws -> DeviceSessionBody {
        answer.expectStatus(201)
        return try WireJSON.decode(DeviceSessionBody.self, from: answer.body)
    }

    private func signIn(_ password: String, token: String) async throws -> HTTPResponse {
        await store.send(
            "POST", "/sandbox/device/v1/sign-in", token: token,
            body: try WireJSON.encode(SignInBody(account: "quiet", password: password)))
    }

    @Test func `nobody signs in to an account without a password, until it gets one`() async throws
    {
        try await store.stock()
        try await addAccount("quiet")
        let token = try await store.register()
        for password in ["rocket-fuel-1", " "] {
            let refused = try await signIn(password, token: token)
            refused.expectStatus(401)
            #expect(errorCode(refused) == "passwordWrong")
        }
        try await store.control(
            "POST", "/control/v1/accounts/password",
            body: ResetPasswordBody(name: "quiet", password: "rocket-fuel-2")
        ).expectStatus(200)
        #expect(try await signIn("rocket-fuel-1", token: token).status == 401)
        #expect(try await signIn("rocket-fuel-2", token: token).status == 200)
    }

    @Test func `wrong guesses lock it like any other account`() async throws {
        try await store.stock()
        try await addAccount("quiet")
        let token = try await store.register()
        var codes: [String?] = []
        for _ in 0..<40 where codes.last != "accountLocked" {
            codes.append(errorCode(try await signIn("guess-guess", token: token)))
        }
        #expect(codes.last == "accountLocked")
    }

    @Test func `an empty or short password is refused and not taken for none`() async throws {
        for password in ["", "short"] {
            let answer = try await store.control(
                "POST", "/control/v1/accounts",
                body: MakeAccountBody(
                    environment: .sandbox, name: "a", password: password, storefront: nil))
            #expect(answer.status == 422)
        }
    }

    @Test func `the owner signs an account in on a device, which buys`() async throws {
        try await store.stock()
        try await addAccount("quiet")
        let made = try session(try await makeDevice())
        #expect(made.account == "quiet" && made.environment == "Sandbox")
        #expect(made.storefront.countryCode == "DEU" && made.signedDataRoot != nil)
        let bought = try await store.buy(Samples.fuel, token: made.deviceToken)
        #expect(bought.deviceGuid == TestStore.guid)
        let list = try WireJSON.decode(
            DevicesBody.self, from: try await store.control("GET", "/control/v1/devices").body)
        #expect(list.devices.map(\.guid) == [TestStore.guid])
        #expect(list.devices.map(\.accounts) == [["quiet"]])
    }

    @Test func `a repeated request makes another token, and the first still works`() async throws {
        try await store.stock()
        try await addAccount("quiet")
        let tokens = [
            try session(try await makeDevice()).deviceToken,
            try session(try await makeDevice(version: "1.1")).deviceToken,
        ]
        #expect(Set(tokens).count == 2)
        for token in tokens { _ = try await store.buy(Samples.fuel, token: token) }
        let list = try WireJSON.decode(
            DevicesBody.self, from: try await store.control("GET", "/control/v1/devices").body)
        #expect(list.devices.map(\.appVersion) == ["1.1"])
    }

    @Test(.timeLimit(.minutes(3)))
    func `another account takes the device over, as at a sign-in`() async throws {
        try await store.stock()
        try await addAccount("quiet")
        let buyer = try await store.signIn()
        let ended = try store.registry.defaultWorld.poll(.events, of: "buyer")
        _ = try session(try await makeDevice())
        for await _ in ended { break }
        let poll = await store.send("GET", "/sandbox/device/v1/updates?after=0", token: buyer)
        #expect(poll.status == 401)
        let answer = try await store.attempt(Samples.fuel, token: buyer)
        #expect(errorCode(answer) == "tokenUnknown")
    }

    @Test func `a real account gets a device of production`() async throws {
        try await store.stock()
        try await store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .production, name: "quiet", password: nil, storefront: nil)
        ).expectStatus(201)
        #expect(try await makeDevice().status == 404)
        #expect(try session(try await makeDevice(in: .production)).environment == "Production")
    }

    @Test func `a locked account is refused`() async throws {
        try await store.stock()
        try await addAccount("quiet")
        try await store.control(
            "POST", "/control/v1/accounts/lock",
            body: LockAccountBody(name: "quiet", reason: "Call us.", until: nil)
        ).expectStatus(200)
        let answer = try await makeDevice()
        answer.expectStatus(423)
        #expect(errorCode(answer) == "accountLocked")
    }

    @Test func `a device that cannot be is refused`() async throws {
        try await store.stock()
        try await addAccount("quiet")
        for (answer, status, code) in [
            (try await makeDevice(guid: "x"), 422, "badField"),
            (try await makeDevice(version: ""), 422, "badField"),
            (try await makeDevice(app: "com/x"), 422, "badField"),
            (try await makeDevice(app: "com.absent"), 404, "appUnknown"),
            (try await makeDevice(account: "nobody"), 404, "accountUnknown"),
        ] {
            #expect(answer.status == status && errorCode(answer) == code)
        }
    }

    @Test func `a seed's account without a password is one, and is exported so`() async throws {
        let seeded = await store.send(
            "PUT", "/control/v1/worlds/one", token: TestStore.controlToken,
            body: Array(#"{"accounts":[{"name":"quiet","failsRenewals":true}]}"#.utf8))
        seeded.expectStatus(201)
        let name = try #require(WorldName("one"))
        let world = try #require(try store.registry.world(name))
        let hash = try world.database.read {
            try $0.row("SELECT password_hash FROM account")?.text(0)
        }
        #expect(hash == "")
        let seed = try JSONValue(
            parsing: try await store.control("GET", "/t/one/control/v1/seed").body)
        #expect(
            seed["accounts"]
                == [["name": "quiet", "storefront": "USA", "failsRenewals": true]])
    }
}
