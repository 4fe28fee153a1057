import Foundation
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreWire
import Testing

@testable import AppStoreServer

/// The devices that the store keeps for the owner's purchases, and whoever may know their UUIDs.
struct OwnerDeviceTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private var scene: Scene {
        Scene(
            world: store.registry.defaultWorld, environment: nil, parts: store.parts,
            content: store.registry.content, log: Log { _ in })
    }

    private var body: MakePurchaseBody {
        MakePurchaseBody(
            attemptId: UUID().uuidString, account: "buyer", bundleId: TestStore.bundleID,
            productId: Samples.fuel)
    }

    private func signOut() async throws {
        try await store.control(
            "POST", "/control/v1/accounts/sign-out", body: NamedAccountBody(name: "buyer")
        ).expectStatus(200)
    }

    private func count(_ table: String) throws -> Int64 {
        try store.registry.defaultWorld.database.read {
            try $0.row("SELECT count(*) FROM \(table)")?.integer(0) ?? -1
        }
    }

    @Test func `a session that ends before the purchase is opened once more`() async throws {
        try await store.stock()
        let asked = try OwnerRequest(body)
        var tries = 0
        let outcome = try await OwnerDevice.use(
            of: NamedAccountBody(name: "buyer"), in: TestStore.bundleID, appVersion: nil, scene
        ) { place in
            tries += 1
            if tries == 1 { try await signOut() }
            return try await asked.carryOut(at: place)
        }
        #expect(tries == 2 && outcome.attempt.state == .done)
        await #expect(throws: Refusal.tokenUnknown) {
            try await OwnerDevice.use(
                of: NamedAccountBody(name: "buyer"), in: TestStore.bundleID, appVersion: nil, scene
            ) { place in
                try await signOut()
                return try await asked.carryOut(at: place)
            }
        }
        #expect(try count("store_transaction") == 1)
    }

    @Test func `a purchase is answered and finished after its session ended`() async throws {
        try await store.stock()
        let asked = try OwnerRequest(body)
        let place = try await OwnerDevice.place(
            of: NamedAccountBody(name: "buyer"), in: TestStore.bundleID, appVersion: nil, scene)
        let outcome = try await asked.carryOut(at: place)
        try await signOut()
        let answer = try await OwnerPurchaseService.answer(
            outcome, to: asked, at: place, withReceipts: true, finishing: true)
        #expect(answer.transaction?.isFinished == true && answer.receipts != nil)
    }

    @Test func `guesses under the device's UUID count as a stranger's`() async throws {
        try await store.stock()
        let place = try await OwnerDevice.place(
            of: NamedAccountBody(name: "buyer"), in: TestStore.bundleID, appVersion: nil, scene)
        let token = try await store.register(guid: place.session.guid)
        let guess = try WireJSON.encode(SignInBody(account: "buyer", password: "wrong-password"))
        await store.send("POST", "/sandbox/device/v1/sign-in", token: token, body: guess)
            .expectStatus(401)
        let record = try store.registry.defaultWorld.database.read {
            try $0.accountSecret("buyer", in: .sandbox)?.record
        }
        #expect(record?.failures == 1)
    }

    @Test func `reading a receipt gives no account an app or another version`() async throws {
        try await store.stock()
        let path = "/control/v1/apps/\(TestStore.bundleID)/receipt?account=buyer"
        for query in ["", "&appVersion=9.9"] {
            let none = try await store.control("GET", path + query)
            #expect(none.status == 404 && errorCode(none) == "noDevice")
        }
        for table in ["device", "device_token", "app_transaction"] {
            #expect(try count(table) == 0)
        }
        let registered = await store.send(
            "POST", "/sandbox/device/v1/register",
            body: try WireJSON.encode(
                RegisterDeviceBody(
                    guid: TestStore.guid, bundleId: TestStore.bundleID, appVersion: "4.2")))
        let token = try WireJSON.decode(DeviceSessionBody.self, from: registered.body).deviceToken
        await store.send(
            "POST", "/sandbox/device/v1/sign-in", token: token,
            body: try WireJSON.encode(SignInBody(account: "buyer", password: "rocket-fuel-1"))
        ).expectStatus(200)
        let answer = try await store.control("GET", path)
        answer.expectStatus(200)
        let verified = try await store.verify(answer.body)
        #expect(verified["receipt"]?["application_version"]?.string == "4.2")
    }
}
