import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Families and requests for money when their world is put back to a snapshot, or emptied.
struct FamilyUpkeepTests {
    /// A mother and a kid, what they share, and a refund that was granted and one that was declined.
    private struct Home {
        let family: FamilyFixture
        let turbo: String

        init() async throws {
            family = try await FamilyFixture()
            try await family.family(with: "kid")
            turbo = try await family.store.buy(Samples.turbo, token: family.mother).transactionId
            let fuel = try await family.store.buy(Samples.fuel, token: family.mother)
            try await family.shop.buy()
            try await refund(turbo, "request", RequestRefundBody(reason: .other))
            try await refund(turbo, "grant", GrantRefundBody(type: .full))
            try await refund(
                fuel.transactionId, "request", RequestRefundBody(reason: .legal))
            try await refund(fuel.transactionId, "decline")
        }

        func refund(_ id: String, _ verb: String, _ body: (any Encodable)? = nil) async throws {
            try await family.store.control("POST", "/control/v1/refunds/\(id)/\(verb)", body: body)
                .expectStatus(200)
        }

        /// What the owner is told of families and of requests.
        func told() async throws -> [String] {
            var texts: [String] = []
            for path in ["families", "refunds"] {
                let answer = try await family.store.control("GET", "/control/v1/\(path)")
                answer.expectStatus(200)
                texts.append(String(decoding: answer.body, as: UTF8.self))
            }
            return texts
        }

        func world(_ verb: String, _ body: any Encodable) async throws -> HTTPResponse {
            try await family.store.control("POST", "/control/v1/worlds/default/\(verb)", body: body)
        }
    }

    @Test func `a restored snapshot brings families and refund requests back in working order`()
        async throws
    {
        let home = try await Home()
        let before = try await home.told()
        try await home.world("snapshots", MakeSnapshotBody(name: "s")).expectStatus(201)
        try await home.refund(home.turbo, "reverse")
        let ended = try await home.family.send("DELETE", "/1")
        #expect(try await home.family.outcome(ended) == [0, 2])
        #expect(try await home.told() != before)
        try await home.world("restore", RestoreWorldBody(snapshot: "s")).expectStatus(200)
        #expect(try await home.told() == before)

        // Devices sign in anew; what is shared is as it was, and is shared on.
        let store = home.family.store
        let kid = try await store.signIn(guid: UUID().uuidString, account: "kid")
        let mother = try await store.signIn(guid: UUID().uuidString)
        #expect(
            try await home.family.shown(kid) == [
                "turbo FAMILY_SHARED cancelled reason 0", "silver FAMILY_SHARED",
            ])
        try await home.refund(home.turbo, "reverse")
        #expect(
            try await home.family.unfinished(kid).map(\.productId) == [
                FamilyFixture.silver, Samples.turbo,
            ])
        #expect(try await home.family.unfinished(mother).count == 3)
        #expect(
            try await home.family.change("/1/remove", FamilyMemberNameBody(name: "kid")) == [0, 2])
    }

    @Test(arguments: [true, false])
    func `a reset removes families and refund requests`(keepsCatalogue: Bool) async throws {
        let home = try await Home()
        try await home.world("reset", ResetWorldBody(keepCatalogue: keepsCatalogue))
            .expectStatus(200)
        #expect(try await home.told() == [#"{"families":[]}"#, #"{"refunds":[]}"#])
        let left = try home.family.store.registry.defaultWorld.database.read { scope in
            try ["family", "family_member", "refund_request", "revocation", "store_transaction"]
                .map { try scope.row("SELECT count(*) FROM \($0)")?.integer(0) }
        }
        #expect(left == [0, 0, 0, 0, 0])
        guard keepsCatalogue else { return }
        // Those of before are nobody's: the same names begin anew.
        for name in ["buyer", "kid"] {
            try await home.family.store.control(
                "POST", "/control/v1/accounts",
                body: MakeAccountBody(
                    environment: .sandbox, name: name, password: "rocket-fuel-1", storefront: nil)
            ).expectStatus(201)
        }
        let made = try await home.family.send("POST", "", MakeFamilyBody(organiser: "buyer"))
        let number = try WireJSON.decode(FamilyChangeBody.self, from: made.body).family.number
        #expect(
            try await home.family.change("/\(number)/add", FamilyMemberNameBody(name: "kid"))
                == [0, 0])
        let kid = try await home.family.store.signIn(guid: UUID().uuidString, account: "kid")
        #expect(try await home.family.unfinished(kid).isEmpty)
    }

    @Test func `a seed that replaces a world brings no families or refund requests along`()
        async throws
    {
        let home = try await Home()
        let answer = await home.family.store.send(
            "PUT", "/control/v1/worlds/default?replace=true", token: TestStore.controlToken,
            body: Array(SeedTests.text(start: "2000000000900000").utf8))
        answer.expectStatus(201)
        #expect(try await home.told() == [#"{"families":[]}"#, #"{"refunds":[]}"#])
    }
}
