import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreWire
import Testing

@testable import AppStoreServer

/// Changes of a subscription that are asked for twice, and a renewal that is forced.
struct RepeatedChangeTests {
    private typealias Fixture = SubscriptionFixture

    private func send(
        _ verb: String, _ id: String, _ store: SubscriptionFixture, _ body: any Encodable
    ) async throws -> HTTPResponse {
        try await store.store.control("POST", "/control/v1/subscriptions/\(id)/\(verb)", body: body)
    }

    @Test func `a repeated extension extends once`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let id = try await store.buy().transactionId
        let seen = try await store.show(id).expiresDate
        let body = ExtendSubscriptionBody(days: 10, expectedExpiresDate: seen)
        try await store.change(id, "extend", body: body)
        let again = try await send("extend", id, store, body)
        #expect(again.status == 409 && errorCode(again) == "subscriptionChanged")
        #expect(try store.periods() == ["silver 2026-04-01 2026-05-11 9990"])
    }

    @Test func `a repeated forced renewal is charged once`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let id = try await store.buy().transactionId
        try await store.advance(to: "2026-04-11T00:00:00Z")
        let body = RenewSubscriptionBody(expectedTransactionId: id)
        try await store.change(id, "renew", body: body)
        try await store.advance(to: "2026-04-12T00:00:00Z")
        let again = try await send("renew", id, store, body)
        #expect(again.status == 409 && errorCode(again) == "subscriptionChanged")
        #expect(try store.periods().count == 2)
        let bad = try await send(
            "renew", id, store, RenewSubscriptionBody(expectedTransactionId: "x"))
        #expect(bad.status == 422 && errorCode(bad) == "badField")
    }

    @Test(arguments: [true, false])
    func `a repeated price increase is reported once`(needsConsent: Bool) async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let id = try await store.buy().transactionId
        let body = IncreaseSubscriptionPriceBody(price: "12.99", needsConsent: needsConsent)
        let first = try await store.change(id, "price-increase", body: body)
        let events = try store.events()
        #expect(try await store.change(id, "price-increase", body: body) == first)
        #expect(try store.events() == events)
        let other = try await send(
            "price-increase", id, store,
            IncreaseSubscriptionPriceBody(price: "13.99", needsConsent: needsConsent))
        #expect(other.status == (needsConsent ? 409 : 200))
    }

    @Test(arguments: [PriceConsent.Answer?.none, .declined])
    func `a forced renewal drops a price increase without consent`(
        answer: PriceConsent.Answer?
    ) async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let id = try await store.buy().transactionId
        try await store.change(
            id, "price-increase",
            body: IncreaseSubscriptionPriceBody(price: "12.99", needsConsent: true))
        if answer != nil {
            let told = await store.store.send(
                "POST", "/sandbox/device/v1/price-consents/1/decline", token: store.token)
            #expect(told.status == 200)
        }
        try await store.advance(to: "2026-04-11T00:00:00Z")
        let renewed = try await store.change(id, "renew")
        #expect(renewed.autoRenews && renewed.priceIncrease == nil)
        #expect(
            try store.periods() == [
                "silver 2026-04-01 2026-04-11 9990", "silver 2026-04-11 2026-05-11 9990 renewal",
            ])
        let waiting = await store.store.send(
            "GET", "/sandbox/device/v1/transactions", token: store.token)
        let consents = try WireJSON.decode(UnfinishedBody.self, from: waiting.body).priceConsents
        #expect(consents?.isEmpty ?? true)
        try await store.advance(to: "2026-05-12T00:00:00Z")
        #expect(try store.periods().count == 3)
    }

    @Test func `a forced renewal beyond a full receipt is refused and cuts nothing short`()
        async throws
    {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let bought = try await store.buy()
        try store.store.repeatPurchase(bought, PurchaseRules.receiptPurchasesMax)
        try await store.advance(to: "2026-04-11T00:00:00Z")
        let refused = try await store.store.control(
            "POST", "/control/v1/subscriptions/\(bought.transactionId)/renew")
        #expect(refused.status == 409 && errorCode(refused) == "subscriptionNotRenewed")
        let shown = try await store.show(bought.transactionId)
        #expect(shown.state == .active)
        #expect(shown.expiresDate == Timestamp(rfc3339: "2026-05-01T00:00:00Z"))
    }

    @Test func `a lowered price is charged, except to subscribers already raised`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let id = try await store.buy().transactionId
        func set(_ price: String) async throws {
            let answer = try await store.store.control(
                "PUT", "\(Fixture.app)/products/\(Fixture.silver)/price",
                body: PriceBody(price: price))
            #expect(answer.status == 200)
        }
        try await set("7.99")
        #expect(try await store.show(id).renewalPriceMilliunits == 7_990)
        try await store.advance(to: "2026-05-02T00:00:00Z")
        #expect(try store.periods().last == "silver 2026-05-01 2026-06-01 7990 renewal")
        try await set("9.99")
        #expect(try await store.show(id).renewalPriceMilliunits == 7_990)
        try await store.change(
            id, "price-increase",
            body: IncreaseSubscriptionPriceBody(price: "12.99", needsConsent: false))
        try await store.advance(to: "2026-07-02T00:00:00Z")
        #expect(try await store.show(id).renewalPriceMilliunits == 12_990)
        #expect(
            try store.periods().suffix(2) == [
                "silver 2026-06-01 2026-07-01 12990 renewal",
                "silver 2026-07-01 2026-08-01 12990 renewal",
            ])
    }

    @Test func `revoking the last period does not change why the subscription ended`() async throws
    {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let id = try await store.buy().transactionId
        try await store.change(id, "cancel")
        try await store.advance(to: "2026-05-02T00:00:00Z")
        let revoked = try await store.store.control(
            "POST", "/control/v1/transactions/\(id)/revoke", body: RevokeBody(reason: .issue))
        #expect(revoked.status == 200)
        let shown = try await store.show(id)
        #expect(shown.state == .expired && shown.expirationReason == 1)
    }
}
