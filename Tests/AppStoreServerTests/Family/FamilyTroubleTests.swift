import Foundation
import StoreDatabase
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// A member's subscription that cannot be settled holds up nothing that a family does.
@Suite(.timeLimit(.minutes(10)))
struct FamilyTroubleTests {
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let done: String
        let undone: String
    }

    static let damages = [
        Damage(
            testDescription: "a row that cannot be read",
            done: "UPDATE subscription SET period = 'P0X' WHERE account_id = \(buyer)",
            undone: "UPDATE subscription SET period = 'P1M' WHERE account_id = \(buyer)"),
        Damage(
            testDescription: "a step that breaks a rule of the schema",
            done: """
                CREATE TRIGGER broken BEFORE INSERT ON event
                WHEN NEW.account_id = \(buyer) AND NEW.kind = 'renewed'
                BEGIN SELECT RAISE(ABORT, 'broken'); END
                """,
            undone: "DROP TRIGGER broken"),
    ]
    private static let buyer = "(SELECT id FROM account WHERE name = 'buyer')"

    /// The mother's silver and the kid's bronze are due, and nobody has looked since.
    private func due(_ damage: Damage) async throws -> (FamilyFixture, HeldRenewals) {
        let home = try await FamilyFixture()
        try await home.family(with: "kid")
        try await home.shop.buy()
        _ = try await home.store.buy(FamilyFixture.bronze, token: home.kid)
        _ = try await home.store.buy(Samples.turbo, token: home.mother)
        let world = home.store.registry.defaultWorld
        let later = try #require(Timestamp(rfc3339: "2026-03-10T00:00:00Z"))
        let held = await HeldRenewals(of: world)
        // The clock is set behind the worker's back.
        try world.database.write { scope in
            _ = try scope.execute(damage.done)
            try scope.setClock(.held(at: later))
        }
        world.time.use(.held(at: later))
        return (home, held)
    }

    private func periods(of name: String, _ home: FamilyFixture) throws -> [String] {
        try home.store.registry.defaultWorld.database.read { scope in
            try scope.rows(
                """
                SELECT product_id, shared_id IS NOT NULL, is_renewal FROM store_transaction
                WHERE account_id = (SELECT id FROM account WHERE name = ?1)
                    AND subscription_group IS NOT NULL ORDER BY id
                """, [.text(name)]
            ).map { row in
                "\(row.text(0).split(separator: ".").last ?? "")"
                    + (row.integer(1) != 0 ? " shared" : "")
                    + (row.integer(2) != 0 ? " renewal" : "")
            }
        }
    }

    @Test(arguments: damages)
    func `a family change skips a damaged subscription and shares it once it renews`(
        damage: Damage
    ) async throws {
        let (home, held) = try await due(damage)
        defer { held.goOn() }
        let world = home.store.registry.defaultWorld
        // Turbo is new to the aunt; the period that is over is nobody's.
        #expect(try await home.change("/1/add", FamilyMemberNameBody(name: "aunt")) == [1, 0])
        #expect(try await home.share(false, by: "kid") == [0, 0])
        #expect(try periods(of: "buyer", home) == ["silver"])
        #expect(try periods(of: "kid", home) == ["silver shared", "bronze", "bronze renewal"])
        #expect(try periods(of: "aunt", home) == [])
        let original = try #require(try await home.unfinished(home.mother).first?.transactionId)
        let logged = home.store.lines.all.filter { $0.contains("renewalSetAside") }
        #expect(logged.first?.contains(original) == true, "\(logged)")
        #expect(
            try world.database.read { try $0.lastRecorded() } == world.time.current.recorded)
        let events = try world.database.read {
            try $0.rows("SELECT at_ms FROM event ORDER BY number").map { $0.integer(0) }
        }
        #expect(events == events.sorted())
        // The worker left it out for a minute as well.
        try world.database.write { _ = try $0.execute(damage.undone) }
        home.store.move(byMilliseconds: SetAside.pauseMilliseconds + 1)
        held.goOn()
        world.renewals.wake()
        while try periods(of: "buyer", home).count < 2 {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(
            try periods(of: "kid", home) == [
                "silver shared", "bronze", "bronze renewal", "silver shared renewal",
            ])
        #expect(try periods(of: "aunt", home).map { $0.prefix(13) } == ["silver shared"])
    }

    @Test(arguments: damages)
    func `a refund reversal skips a damaged subscription`(damage: Damage) async throws {
        let (home, held) = try await due(damage)
        defer { held.goOn() }
        let world = home.store.registry.defaultWorld
        let app = try await home.unfinished(home.mother)
        let turbo = try #require(app.first { $0.productId == Samples.turbo }).transactionId
        func ask(_ verb: String, _ body: (any Encodable)? = nil) async throws -> Int {
            try await home.store.control(
                "POST", "/control/v1/refunds/\(turbo)/\(verb)", body: body
            ).status
        }
        #expect(try await ask("request", RequestRefundBody(reason: .other)) == 200)
        #expect(try await ask("grant", GrantRefundBody(type: .full)) == 200)
        #expect(try await home.unfinished(home.kid).allSatisfy { $0.productId != Samples.turbo })
        #expect(try await ask("reverse") == 200)
        #expect(
            try await home.unfinished(home.kid).filter { $0.productId == Samples.turbo }.count == 1)
        #expect(try periods(of: "buyer", home) == ["silver"])
        #expect(
            try world.database.read { try $0.lastRecorded() } == world.time.current.recorded)
    }
}
