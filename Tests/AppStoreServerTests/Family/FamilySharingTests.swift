import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// What is bought once and for all, in a family.
struct FamilySharingTests {
    @Test func `family members get a purchase as free transactions of their own`()
        async throws
    {
        let home = try await FamilyFixture()
        try await home.family(with: "kid")
        let sold = try await home.store.buy(Samples.turbo, token: home.mother)
        let shared = try #require(try await home.unfinished(home.kid).first)
        #expect(shared.productId == Samples.turbo)
        #expect(shared.transactionId != sold.transactionId)
        #expect(shared.originalTransactionId == shared.transactionId)
        #expect(shared.purchaseDate == sold.purchaseDate)
        #expect(try await home.updates(home.kid).events.map(\.kind) == [.purchased])
        #expect(try await home.shown(home.mother) == ["turbo PURCHASED"])
        #expect(try await home.shown(home.kid) == ["turbo FAMILY_SHARED"])
        #expect(try await home.unfinished(home.aunt).isEmpty)
        let charges = try home.store.registry.defaultWorld.database.read { scope in
            try scope.rows("SELECT charged_milliunits FROM store_transaction ORDER BY id")
                .map { $0.integer(0) }
        }
        #expect(charges == [2_990, 0])
    }

    @Test func `neither consumables nor the buyer's app user name are shared with the family`()
        async throws
    {
        let home = try await FamilyFixture()
        try await home.family(with: "kid")
        _ = try await home.store.buy(Samples.fuel, token: home.mother)
        #expect(try await home.unfinished(home.kid).isEmpty)
        let user = UUID().uuidString
        let answer = try await home.store.attempt(
            Samples.turbo, username: user, token: home.mother)
        #expect(answer.status == 200)
        #expect(try await home.unfinished(home.kid).map(\.applicationUsername) == [nil])
    }

    @Test func `neither a repeated attempt nor a second purchase shares the same thing twice`()
        async throws
    {
        let home = try await FamilyFixture()
        try await home.family(with: "kid")
        let id = UUID().uuidString
        for _ in 1...2 {
            let answer = try await home.store.attempt(Samples.turbo, id: id, token: home.mother)
            #expect(answer.status == 200)
        }
        let again = try await home.store.buy(Samples.turbo, token: home.mother)
        #expect(again.originalTransactionId != again.transactionId)
        #expect(try await home.unfinished(home.kid).count == 1)
    }

    @Test func `a new member gets what the family owns and shares what they own`() async throws {
        let home = try await FamilyFixture()
        _ = try await home.store.buy(Samples.turbo, token: home.mother)
        _ = try await home.store.buy(FamilyFixture.silver, token: home.kid)
        let made = try await home.send("POST", "", MakeFamilyBody(organiser: "buyer"))
        #expect(made.status == 201)
        #expect(try await home.change("/1/add", FamilyMemberNameBody(name: "kid")) == [2, 0])
        #expect(try await home.shown(home.kid) == ["silver PURCHASED", "turbo FAMILY_SHARED"])
        #expect(try await home.shown(home.mother) == ["turbo PURCHASED", "silver FAMILY_SHARED"])
        #expect(try await home.change("/1/add", FamilyMemberNameBody(name: "aunt")) == [2, 0])
    }

    @Test func `a leaving member loses what others bought and takes their own purchases along`()
        async throws
    {
        let home = try await FamilyFixture()
        try await home.family(with: "kid", "aunt")
        _ = try await home.store.buy(Samples.turbo, token: home.mother)
        _ = try await home.store.buy(FamilyFixture.silver, token: home.kid)
        let before = try await home.updates(home.kid)
        #expect(try await home.change("/1/remove", FamilyMemberNameBody(name: "kid")) == [0, 3])
        let news = try await home.updates(home.kid, after: before.cursor)
        #expect(news.events.map(\.kind) == [.revoked])
        #expect(news.events.first?.transaction?.productId == Samples.turbo)
        #expect(news.receiptRevision > before.receiptRevision)
        #expect(
            try await home.shown(home.kid) == [
                "turbo FAMILY_SHARED cancelled reason 0", "silver PURCHASED",
            ])
        #expect(
            try await home.shown(home.aunt) == [
                "turbo FAMILY_SHARED", "silver FAMILY_SHARED cancelled reason 0",
            ])
        // What is bought later is not shared with who left, and what was taken back not delivered.
        _ = try await home.store.buy(FamilyFixture.silver, token: home.mother)
        #expect(try await home.unfinished(home.kid).map(\.productId) == [FamilyFixture.silver])
    }

    @Test func `a returning member gets shared purchases as new transactions`() async throws {
        let home = try await FamilyFixture()
        try await home.family(with: "kid")
        _ = try await home.store.buy(Samples.turbo, token: home.mother)
        let first = try #require(try await home.unfinished(home.kid).first)
        #expect(try await home.change("/1/remove", FamilyMemberNameBody(name: "kid")) == [0, 1])
        #expect(try await home.change("/1/add", FamilyMemberNameBody(name: "kid")) == [1, 0])
        let second = try #require(try await home.unfinished(home.kid).first)
        #expect(second.originalTransactionId == second.transactionId)
        #expect(second.transactionId != first.transactionId)
        #expect(
            try await home.shown(home.kid) == [
                "turbo FAMILY_SHARED cancelled reason 0", "turbo FAMILY_SHARED",
            ])
    }

    @Test func `a member who stops sharing withdraws their own purchases and keeps the others'`()
        async throws
    {
        let home = try await FamilyFixture()
        try await home.family(with: "kid")
        _ = try await home.store.buy(Samples.turbo, token: home.mother)
        _ = try await home.store.buy(FamilyFixture.silver, token: home.kid)
        #expect(try await home.share(false, by: "buyer") == [0, 1])
        #expect(try await home.share(false, by: "buyer") == [0, 0])
        #expect(try await home.shown(home.mother) == ["turbo PURCHASED", "silver FAMILY_SHARED"])
        #expect(
            try await home.shown(home.kid).contains("turbo FAMILY_SHARED cancelled reason 0"))
        _ = try await home.store.buy(FamilyFixture.gold, token: home.mother)
        #expect(try await home.shown(home.kid).count == 2, "nothing new is shared")
        #expect(try await home.share(true, by: "buyer") == [2, 0])
    }

    @Test func `ending a family leaves each member their own purchases`() async throws {
        let home = try await FamilyFixture()
        try await home.family(with: "kid", "aunt")
        _ = try await home.store.buy(Samples.turbo, token: home.mother)
        _ = try await home.store.buy(FamilyFixture.silver, token: home.kid)
        #expect(try await home.outcome(try await home.send("DELETE", "/1")) == [0, 4])
        #expect(
            try await home.shown(home.mother) == [
                "turbo PURCHASED", "silver FAMILY_SHARED cancelled reason 0",
            ])
        #expect(try await home.send("POST", "", MakeFamilyBody(organiser: "aunt")).status == 201)
    }

    @Test func `a refund revokes the purchase for every member for the same reason`() async throws {
        let home = try await FamilyFixture()
        try await home.family(with: "kid")
        let sold = try await home.store.buy(Samples.turbo, token: home.mother)
        let shared = try #require(try await home.unfinished(home.kid).first)
        let cursor = try await home.updates(home.kid).cursor
        let refused = try await home.revoke(shared.transactionId)
        #expect(errorCode(refused) == "transactionShared")
        #expect(String(decoding: refused.body, as: UTF8.self).contains(sold.transactionId))
        for _ in 1...2 { #expect(try await home.revoke(sold.transactionId).status == 200) }
        #expect(try await home.updates(home.kid, after: cursor).events.map(\.kind) == [.revoked])
        #expect(
            try await home.shown(home.kid) == ["turbo FAMILY_SHARED cancelled reason 1"])
        #expect(try await home.unfinished(home.kid).isEmpty)
        // It is not given again to who joins, and what is bought anew is.
        #expect(try await home.change("/1/add", FamilyMemberNameBody(name: "aunt")) == [0, 0])
        _ = try await home.store.buy(Samples.turbo, token: home.mother)
        #expect(try await home.unfinished(home.aunt).count == 1)
    }

    @Test func `reversing a refund restores every member's copy, and a copy cannot be refunded`()
        async throws
    {
        let home = try await FamilyFixture()
        try await home.family(with: "kid")
        let sold = try await home.store.buy(Samples.turbo, token: home.mother)
        let shared = try #require(try await home.unfinished(home.kid).first)
        func ask(_ verb: String, _ id: String, _ body: (any Encodable)? = nil) async throws
            -> HTTPResponse
        {
            try await home.store.control("POST", "/control/v1/refunds/\(id)/\(verb)", body: body)
        }
        let body = RequestRefundBody(reason: .other)
        let refused = try await ask("request", shared.transactionId, body)
        #expect(errorCode(refused) == "transactionShared")
        #expect(try await ask("request", sold.transactionId, body).status == 200)
        #expect(
            try await ask("grant", sold.transactionId, GrantRefundBody(type: .full)).status == 200)
        #expect(try await home.unfinished(home.kid).isEmpty)
        for _ in 1...2 {
            #expect(try await ask("reverse", sold.transactionId).status == 200)
            let given = try await home.unfinished(home.kid)
            #expect(given.map(\.productId) == [Samples.turbo])
            #expect(given.first?.originalTransactionId != shared.transactionId)
        }
    }

    @Test func `a member who buys what the family shares pays for it and keeps it after leaving`()
        async throws
    {
        let home = try await FamilyFixture()
        try await home.family(with: "kid")
        _ = try await home.store.buy(Samples.turbo, token: home.mother)
        let own = try await home.store.buy(Samples.turbo, token: home.kid)
        #expect(own.originalTransactionId == own.transactionId)
        let charges = try home.store.registry.defaultWorld.database.read { scope in
            try scope.rows("SELECT charged_milliunits FROM store_transaction ORDER BY id")
                .map { $0.integer(0) }
        }
        // The kid's own is shared with the mother in turn.
        #expect(charges == [2_990, 0, 2_990, 0])
        #expect(try await home.change("/1/remove", FamilyMemberNameBody(name: "kid")) == [0, 2])
        #expect(
            try await home.shown(home.kid) == [
                "turbo FAMILY_SHARED cancelled reason 0", "turbo PURCHASED",
            ])
    }

    @Test func `a restore gives back family-shared purchases`() async throws {
        let home = try await FamilyFixture()
        try await home.family(with: "kid")
        _ = try await home.store.buy(Samples.turbo, token: home.mother)
        _ = try await home.store.buy(FamilyFixture.silver, token: home.mother)
        let shared = try await home.unfinished(home.kid)
        try await home.finishAll(home.kid)
        func restored() async throws -> [TransactionBody] {
            let answer = await home.store.send(
                "POST", "/sandbox/device/v1/restores", token: home.kid,
                body: try WireJSON.encode(
                    RestoreRequestBody(
                        restoreId: UUID().uuidString, applicationUsername: nil, after: nil)))
            return try WireJSON.decode(RestoreAnswerBody.self, from: answer.body).transactions
        }
        #expect(
            try await restored().map(\.originalTransactionId)
                == shared.map(\.transactionId))
        try await home.finishAll(home.kid)
        #expect(try await home.change("/1/remove", FamilyMemberNameBody(name: "kid")) == [0, 2])
        #expect(try await restored().isEmpty)
    }

    @Test func `a waiting poll of a family member is woken by a shared purchase`() async throws {
        let home = try await FamilyFixture()
        try await home.family(with: "kid")
        let cursor = try await home.updates(home.kid).cursor
        async let news = home.store.send(
            "GET", "/sandbox/device/v1/updates?after=\(cursor)&wait=30", token: home.kid)
        _ = try await home.store.buy(Samples.turbo, token: home.mother)
        let body = try WireJSON.decode(UpdatesBody.self, from: await news.body)
        #expect(body.events.map(\.kind) == [.purchased])
    }
}
