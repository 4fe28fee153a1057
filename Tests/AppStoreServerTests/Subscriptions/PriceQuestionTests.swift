import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import AppStoreServer

/// The question that a price increase of a subscription asks, from its first to its last.
struct PriceQuestionTests {
    private typealias Fixture = SubscriptionFixture

    /// Silver since 1 April, whose person is asked about 12.99 in place of 9.99.
    private func open() async throws -> (store: SubscriptionFixture, original: String) {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let bought = try await store.buy()
        try await store.change(
            bought.transactionId, "price-increase",
            body: IncreaseSubscriptionPriceBody(price: "12.99", needsConsent: true))
        return (store, bought.transactionId)
    }

    private func questions(_ store: SubscriptionFixture) async throws -> [PriceConsentBody] {
        let answer = try await store.store.control("GET", "/control/v1/price-consents")
        return try WireJSON.decode(PriceConsentsBody.self, from: answer.body).priceConsents
    }

    private func waiting(_ store: SubscriptionFixture) async throws -> [DevicePriceConsentBody]? {
        let answer = await store.store.send(
            "GET", "/sandbox/device/v1/transactions", token: store.token)
        return try WireJSON.decode(UnfinishedBody.self, from: answer.body).priceConsents
    }

    private func heard(_ store: SubscriptionFixture) async throws -> [PriceConsentState] {
        let answer = await store.store.send(
            "GET", "/sandbox/device/v1/updates?after=0", token: store.token)
        let body = try WireJSON.decode(UpdatesBody.self, from: answer.body)
        return body.events.compactMap(\.priceConsent?.state)
    }

    struct End: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let come: @Sendable (SubscriptionFixture, String) async throws -> Void
    }

    static let ends = [
        End(testDescription: "upgraded") { store, _ in
            try await store.advance(to: "2026-04-16T00:00:00Z")
            try await store.buy(SubscriptionFixture.gold)
        },
        End(testDescription: "ended by its owner") { store, id in
            try await store.advance(to: "2026-04-16T00:00:00Z")
            try await store.change(id, "expire")
        },
        End(testDescription: "ended without an answer") { store, _ in
            try await store.advance(to: "2026-05-02T00:00:00Z")
        },
        End(testDescription: "renewed as another product") { store, id in
            try await store.change(
                id, "choose", body: ChooseSubscriptionBody(productId: SubscriptionFixture.bronze))
            try await store.advance(to: "2026-05-02T00:00:00Z")
        },
        End(testDescription: "taken back") { store, id in
            try await store.advance(to: "2026-04-16T00:00:00Z")
            let revoked = try await store.store.control(
                "POST", "/control/v1/transactions/\(id)/revoke", body: RevokeBody(reason: .other))
            #expect(revoked.status == 200)
        },
    ]

    @Test(arguments: ends)
    func `a price question is withdrawn when its price increase ends`(end: End) async throws {
        let (store, original) = try await open()
        #expect(try await waiting(store)?.map(\.number) == [1])
        try await end.come(store, original)
        let question = try #require(try await questions(store).first)
        #expect(question.state == .withdrawn && question.answeredAt == nil)
        let now = store.store.registry.defaultWorld.time.now()
        #expect(try #require(question.withdrawnAt) <= now)
        #expect(try await waiting(store)?.isEmpty ?? true)
        #expect(try await heard(store).last == .withdrawn)
        for verb in ["agree", "decline"] {
            let late = await store.store.send(
                "POST", "/sandbox/device/v1/price-consents/1/\(verb)", token: store.token)
            #expect(late.status == 409 && errorCode(late) == "priceConsentWithdrawn")
        }
        // The same may be asked again, when it is about something.
        let asked = try await store.store.control(
            "POST", "/control/v1/price-consents",
            body: AskPriceConsentBody(
                name: "buyer", bundleId: TestStore.bundleID, productId: Fixture.silver,
                price: "12.99"))
        #expect(asked.status == 201)
        #expect(try await questions(store).map(\.state) == [.withdrawn, .pending])
    }

    @Test func `a subscriber is asked by the price increase and not beside it`() async throws {
        let (store, original) = try await open()
        func ask(_ price: String, _ product: String = Fixture.silver) async throws -> HTTPResponse {
            try await store.store.control(
                "POST", "/control/v1/price-consents",
                body: AskPriceConsentBody(
                    name: "buyer", bundleId: TestStore.bundleID, productId: product, price: price))
        }
        #expect(try await ask("12.99").status == 200, "the increase asks this already")
        #expect(errorCode(try await ask("15.99")) == "otherPricePending")
        let agreed = try await store.store.control("POST", "/control/v1/price-consents/1/agree")
        #expect(agreed.status == 200)
        let refused = try await ask("15.99")
        #expect(refused.status == 409 && errorCode(refused) == "subscribed")
        #expect(try await questions(store).count == 1)
        // Also about what it renews as, and no longer once it does not renew.
        try await store.change(
            original, "choose", body: ChooseSubscriptionBody(productId: Fixture.bronze))
        #expect(errorCode(try await ask("15.99", Fixture.bronze)) == "subscribed")
        try await store.change(original, "cancel")
        #expect(try await ask("15.99").status == 201)
    }

    @Test func `an answered price question stays when the subscription ends`() async throws {
        let (store, _) = try await open()
        let agreed = try await store.store.control("POST", "/control/v1/price-consents/1/agree")
        #expect(agreed.status == 200)
        try await store.buy(Fixture.gold)
        #expect(try await questions(store).map(\.state) == [.agreed])
    }

    @Test(arguments: [true, false])
    func `a customer who declined and renews after all is asked once more`(byPurchase: Bool)
        async throws
    {
        let (store, original) = try await open()
        let declined = await store.store.send(
            "POST", "/sandbox/device/v1/price-consents/1/decline", token: store.token)
        #expect(declined.status == 200)
        #expect(try await store.show(original).autoRenews == false)
        if byPurchase { try await store.buy() } else { try await store.change(original, "resume") }
        let again = try await questions(store)
        #expect(again.map(\.state) == [.declined, .pending])
        #expect(again.last?.oldPriceMilliunits == 9_990 && again.last?.newPriceMilliunits == 12_990)
        #expect(try await waiting(store)?.map(\.number) == [2])
        #expect(try await heard(store) == [.declined, .declined, .pending])
        let agreed = await store.store.send(
            "POST", "/sandbox/device/v1/price-consents/2/agree", token: store.token)
        #expect(agreed.status == 200)
        try await store.advance(to: "2026-05-02T00:00:00Z")
        #expect(
            try store.periods() == [
                "silver 2026-04-01 2026-05-01 9990", "silver 2026-05-01 2026-06-01 12990 renewal",
            ])
    }

    @Test(arguments: [true, false], ["12.99", "15.99"])
    func `a resumed subscription asks about its price though another question waits`(
        byPurchase: Bool, other: String
    ) async throws {
        let (store, original) = try await open()
        let path = "/sandbox/device/v1/price-consents"
        #expect(
            await store.store.send("POST", "\(path)/1/decline", token: store.token).status == 200)
        let asked = try await store.store.control(
            "POST", "/control/v1/price-consents",
            body: AskPriceConsentBody(
                name: "buyer", bundleId: TestStore.bundleID, productId: Fixture.silver,
                price: other))
        #expect(asked.status == 201)
        if byPurchase { try await store.buy() } else { try await store.change(original, "resume") }
        let isSame = other == "12.99"
        #expect(
            try await questions(store).map(\.state)
                == (isSame ? [.declined, .pending] : [.declined, .withdrawn, .pending]))
        let number = isSame ? 2 : 3
        #expect(try await waiting(store)?.map(\.number) == [Int64(number)])
        let agreed = await store.store.send("POST", "\(path)/\(number)/agree", token: store.token)
        #expect(agreed.status == 200)
        try await store.advance(to: "2026-05-02T00:00:00Z")
        #expect(try store.periods().last == "silver 2026-05-01 2026-06-01 12990 renewal")
    }

    @Test func `an overdue renewal is settled before a price answer, which then comes too late`()
        async throws
    {
        let (store, original) = try await open()
        let world = store.store.registry.defaultWorld
        let held = await HeldRenewals(of: world)
        defer { held.goOn() }
        // The clock is set behind the worker's back.
        let later = try #require(Timestamp(rfc3339: "2026-05-02T00:00:00Z"))
        try world.database.write { try $0.setClock(.held(at: later)) }
        world.time.use(.held(at: later))
        let recorded = world.time.current.recorded
        let path = "/sandbox/device/v1/price-consents/1/agree"
        let late = await store.store.send("POST", path, token: store.token)
        #expect(late.status == 409 && errorCode(late) == "priceConsentWithdrawn")
        // What was refused has settled nothing, and moved no time.
        #expect(world.time.current.recorded == recorded)
        held.goOn()
        try await store.setClock("2026-05-03T00:00:00Z")
        #expect(try await questions(store).map(\.state) == [.withdrawn])
        let ended = try await store.show(original)
        #expect(ended.state == .expired && ended.expirationReason == 3)
    }
}
