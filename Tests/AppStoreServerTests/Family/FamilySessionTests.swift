import Foundation
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// On which device somebody's purchase is delivered when the owner makes it.
struct FamilySessionTests {
    private func session(of name: String, _ home: FamilyFixture) throws -> String? {
        try home.store.registry.defaultWorld.database.read { scope in
            let secret = try #require(try scope.accountSecret(name, in: .sandbox))
            let app = try #require(try scope.app(bundleID: TestStore.bundleID)?.id)
            return try scope.latestSession(of: secret.account, in: app)?.guid
        }
    }

    @Test func `family-shared purchases reveal nothing of another member's device`() async throws {
        let home = try await FamilyFixture()
        try await home.store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "baby", password: "rocket-fuel-1", storefront: nil)
        ).expectStatus(201)
        try await home.family(with: "kid", "baby")
        _ = try await home.store.buy(Samples.fuel, token: home.kid)
        let device = try #require(try session(of: "kid", home))
        try await home.store.control(
            "POST", "/control/v1/accounts/sign-out",
            body: NamedAccountBody(environment: .sandbox, name: "kid")
        ).expectStatus(200)
        _ = try await home.store.buy(Samples.turbo, token: home.mother)
        // The newest transaction of both came by the mother's device.
        #expect(try session(of: "kid", home) == device)
        #expect(try session(of: "baby", home) == nil)
        #expect(try session(of: "buyer", home) != device)
    }
}
