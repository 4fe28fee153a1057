import Foundation
import StoreDatabase
import StoreModel
import StoreRules
import StoreWire
import Testing

@testable import AppStoreServer

/// Redeeming codes within a commit, as the selling of subscriptions does it.
struct OfferRedemptionTests {
    private typealias F = OfferFixture
    private let fixture: OfferFixture

    init() async throws {
        fixture = try await OfferFixture()
    }

    /// Redeems a code; why not, when it is not.
    private func redeem(
        _ text: String, by name: String, at now: Timestamp = TestStore.start
    ) throws -> OfferCodeRefusal? {
        let (app, account) = (try fixture.appID(), try fixture.account(name))
        return try fixture.database.write { scope in
            guard let code = try scope.reading.offerCode(named: text, in: app) else {
                throw DatabaseError(code: .other, detail: "there is no code \(text)")
            }
            let kept = try scope.reading.offerCode(number: code.code.number)
            let fresh = NamedOfferCode(code: try #require(kept).code, digest: code.digest)
            if let refusal = try scope.reading.refusal(of: fresh, by: account, at: now) {
                return refusal
            }
            try scope.addRedemption(
                of: fresh.code, digest: fresh.digest, by: account, transaction: TransactionID(7),
                at: now)
            return nil
        }
    }

    private func make(_ word: String, _ most: Int64, offer: String = OfferFixture.fair)
        async throws
    {
        _ = try await fixture.makeCode(
            MakeOfferCodeBody(offerId: offer, word: word, redemptionsMax: most))
    }

    private func makeOneTime(_ count: Int64, offer: String = OfferFixture.fair) async throws
        -> [String]
    {
        try #require(
            try await fixture.makeCode(MakeOfferCodeBody(offerId: offer, count: count)).codes)
    }

    @Test func `a custom code is redeemed once per account, up to its limit`() async throws {
        try await make("SPRING", 2)
        #expect(try redeem("spring", by: "ada") == nil)
        #expect(try redeem("SPRING", by: "ada") == .usedBefore)
        #expect(try await fixture.listedCodes().map(\.redemptionCount) == [1])
        #expect(try redeem("Spring", by: "bea") == nil)
        #expect(try redeem("SPRING", by: "buyer") == .usedUp)
        #expect(try redeem("SPRING", by: "bea") == .usedBefore)
        let listed = try await fixture.listedCodes()
        #expect(listed.map(\.state) == [.usedUp] && listed.map(\.redemptionCount) == [2])
    }

    @Test func `a one-time code is redeemed once, by any account`() async throws {
        let codes = try await makeOneTime(2)
        #expect(try redeem(codes[0].lowercased(), by: "ada") == nil)
        #expect(try redeem(codes[0], by: "bea") == .usedUp)
        #expect(try redeem(codes[1], by: "ada") == .usedBefore)
        #expect(try redeem(codes[1], by: "bea") == nil)
        #expect(try await fixture.listedCodes().map(\.state) == [.usedUp])
    }

    @Test func `an account redeems one code per offer`() async throws {
        try await make("SPRING", 10)
        try await make("SPRING2", 10)
        try await make("SHOW", 10, offer: F.show)
        let codes = try await makeOneTime(1)
        #expect(try redeem("SPRING", by: "ada") == nil)
        #expect(try redeem("SPRING2", by: "ada") == .usedBefore)
        #expect(try redeem(codes[0], by: "ada") == .usedBefore)
        #expect(try redeem("SHOW", by: "ada") == nil)
    }

    @Test func `an ended code is not redeemed`() async throws {
        try await make("SPRING", 10)
        try await fixture.store.control("DELETE", "\(F.codes)/1").expectStatus(200)
        #expect(try redeem("SPRING", by: "ada") == .deactivated)
        let end = TestStore.start.adding(milliseconds: 1)
        let code = try await fixture.makeCode(
            MakeOfferCodeBody(offerId: F.fair, count: 1, expiresAt: end)
        ).codes?.first
        #expect(try redeem(try #require(code), by: "ada", at: end) == .expired)
        #expect(try redeem(try #require(code), by: "ada") == nil)
        #expect(try fixture.rowCounts()["offer_redemption"] == 1)
    }

    @Test func `a code is found only in its own app`() async throws {
        try await make("SPRING", 10)
        let codes = try await makeOneTime(1)
        let app = try fixture.appID()
        for text in ["", " ", "SPRING ", "SPRUNG", "%", "' OR 1=1", String(codes[0].dropLast())] {
            #expect(try fixture.database.read { try $0.offerCode(named: text, in: app) } == nil)
        }
        let other = AppID(app.rawValue + 1)
        for text in ["SPRING", codes[0]] {
            let found = try fixture.database.read { scope in
                (
                    try scope.offerCode(named: text, in: app)?.code.offerID,
                    try scope.offerCode(named: text, in: other)?.code.offerID
                )
            }
            #expect(found.0 == F.fair && found.1 == nil)
        }
    }

    @Test func `the database table allows no second redemption`() async throws {
        try await make("SPRING", 10)
        let codes = try await makeOneTime(1)
        let (app, ada, bea) = (
            try fixture.appID(), try fixture.account("ada"), try fixture.account("bea")
        )
        for (text, second) in [("SPRING", ada), (codes[0], bea)] {
            let found = try fixture.database.read { try $0.offerCode(named: text, in: app) }
            let code = try #require(found)
            func add(_ account: AccountID) throws {
                try fixture.database.write { scope in
                    try scope.addRedemption(
                        of: code.code, digest: code.digest, by: account, transaction: nil,
                        at: TestStore.start)
                }
            }
            try add(ada)
            #expect(throws: DatabaseError.self) { try add(second) }
        }
        #expect(try fixture.rowCounts()["offer_redemption"] == 2)
    }

    @Test func `concurrent redemptions do not exceed a code's limit`() async throws {
        try await make("SPRING", 1)
        let refusals = try await withThrowingTaskGroup(of: OfferCodeRefusal?.self) { group in
            for name in ["ada", "bea", "buyer"] {
                for _ in 0..<4 { group.addTask { try redeem("SPRING", by: name) } }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(refusals.count(where: { $0 == nil }) == 1)
        #expect(try fixture.rowCounts()["offer_redemption"] == 1)
    }

    @Test func `a reset keeps the codes and forgets who redeemed them`() async throws {
        try await make("SPRING", 1)
        #expect(try redeem("SPRING", by: "ada") == nil)
        try await fixture.store.control(
            "POST", "/control/v1/worlds/default/reset", body: ResetWorldBody(keepCatalogue: true)
        ).expectStatus(200)
        #expect(try await fixture.listedCodes().map(\.state) == [.active])
        #expect(try fixture.rowCounts()["offer_redemption"] == 0)
    }
}
