import Foundation
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// The owner's list of devices, and what they tried to buy.
struct InstallationTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func devices(_ query: String = "") async throws -> [Int64] {
        (try await store.list("/devices?\(query)") as DevicesBody).devices.map(\.deviceId)
    }

    /// A device in production, one in the sandbox, and one on which nobody is signed in.
    private func register() async throws {
        _ = try await store.openProduction()
        _ = try await store.signIn()
        _ = try await store.register(guid: "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A13")
    }

    @Test func `devices are listed with who is signed in`() async throws {
        try await register()
        let answer = try await store.control("GET", "/control/v1/devices")
        try Golden.check(answer.body, "control-devices.json")
        let body = try WireJSON.decode(DevicesBody.self, from: answer.body)
        #expect(body.devices.map(\.accounts) == [["payer"], ["buyer"], []])
        #expect(body.devices.map(\.environment) == [.production, .sandbox, .sandbox])
    }

    @Test func `filters and orders leave what they name, on every page once`() async throws {
        try await register()
        #expect(try await devices("account=buyer") == [2])
        #expect(try await devices("account=payer&environment=production") == [1])
        #expect(try await devices("environment=sandbox") == [2, 3])
        #expect(try await devices("app=\(TestStore.bundleID)&order=newest") == [3, 2, 1])
        for (order, expected) in [("oldest", [1, 2, 3]), ("newest", [3, 2, 1])]
            as [(String, [Int64])]
        {
            for limit in 1...4 {
                let found = try await store.walk(
                    "/devices?order=\(order)&limit=\(limit)",
                    { (page: DevicesBody) in page.devices }, { $0.next.map { "\($0)" } })
                #expect(found.map(\.deviceId) == expected)
            }
        }
        // Who signed out was there nevertheless.
        let out = try await store.control(
            "POST", "/control/v1/accounts/sign-out", body: NamedAccountBody(name: "buyer"))
        #expect(out.status == 200)
        let left: DevicesBody = try await store.list("/devices?account=buyer")
        #expect(left.devices.map(\.accounts) == [[]])
    }

    @Test func `a page looks at so many devices and goes on`() async throws {
        try await register()
        try store.registry.defaultWorld.database.read { scope in
            let filter = try OwnerFilter(request("environment=production"), scope)
            let page = try scope.devices(
                filter, after: nil, .newest, countMax: 9, lookingAt: 2, realNow: TestStore.start)
            #expect(page.devices.isEmpty && page.end == 2)
            let rest = try scope.devices(
                filter, after: page.end, .newest, countMax: 9, lookingAt: 2,
                realNow: TestStore.start)
            #expect(rest.devices.map(\.deviceId) == [1] && rest.end == nil)
        }
    }

    @Test func `a device shows its attempts, the newest first, on every page once`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        func id(_ number: Int) -> String { "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A0\(number)" }
        _ = try await store.attempt(Samples.fuel, id: id(1), token: token)
        store.move(byMilliseconds: 1_000)
        // Two of one moment.
        _ = try await store.attempt(Samples.fuel, id: id(3), simulates: true, token: token)
        _ = try await store.attempt("com.example.none", id: id(2), token: token)
        let answer = try await store.control("GET", "/control/v1/devices/1")
        try Golden.check(answer.body, "control-device.json")
        let body = try WireJSON.decode(DeviceDetailsBody.self, from: answer.body)
        #expect(body.attempts.map(\.attemptId) == [id(3), id(2), id(1)])
        #expect(body.attempts.map(\.state) == [.deferred, .refused, .done])
        #expect(body.attempts.map(\.productId) == [Samples.fuel, nil, Samples.fuel])
        #expect(body.attempts.map(\.refusal) == [nil, .productUnknown, nil])
        #expect(body.attempts[2].transactionId != nil && body.next == nil)
        for limit in 1...4 {
            let found = try await store.walk(
                "/devices/1?limit=\(limit)", { (page: DeviceDetailsBody) in page.attempts },
                \.next)
            #expect(found == body.attempts)
        }
    }

    @Test(arguments: [
        ("/devices?after=x", "after is not a whole number from 0 up."),
        ("/devices?limit=0", "limit is not a number from 1 to 200."),
        ("/devices?order=first", "order is not one of oldest, newest."),
        ("/devices?environment=phone", "environment is not one of production, sandbox."),
        ("/devices/1?limit=201", "limit is not a number from 1 to 200."),
        ("/devices/1?after=x", "after is not an attempt of this device."),
        ("/devices/1?after=", "after is not an attempt of this device."),
    ])
    func `a bad question is refused with what is wrong`(path: String, sentence: String)
        async throws
    {
        try await register()
        let found = try await store.refusal(path)
        #expect(found.status == 400 && found.code == "badQuery" && found.message == sentence)
    }

    @Test func `unknown names and numbers are not found`() async throws {
        try await register()
        #expect(try await store.refusal("/devices?account=payer").code == "accountUnknown")
        #expect(try await store.refusal("/devices?app=none").code == "appUnknown")
        for number in ["0", "4", "x", "01", "-1", "99999999999999999999"] {
            let found = try await store.refusal("/devices/\(number)")
            #expect(found.status == 404 && found.code == "deviceUnknown")
            #expect(found.message.hasPrefix("This world has no device with that number"))
        }
    }
}
