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
}
