import Foundation
import StoreModel
import StoreRules
import StoreWire
import Testing

@testable import AppStoreServer

/// Subscriptions whose periods a payment provider pays, as their people and owners change them.
struct ProviderSubscriptionTests {
    private typealias Fixture = SubscriptionFixture

    @Test func `a downgrade asks for nothing until it renews at its own price`()
        async throws
    {
        let shop = try await ProviderShop()
        try await shop.buy(Fixture.gold)
        let chosen = try await shop.attempt(Fixture.bronze)
        #expect(chosen.state == .done)
        #expect(shop.asked(after: 2) == [])
        try await shop.advance(to: "2026-05-02T00:00:00Z")
        #expect(shop.asked(after: 2) == ["authorize 4990", "capture 4990"])
        #expect(try await shop.store.payments().last?.productId == Fixture.bronze)
        #expect(
            try shop.shop.periods() == [
                "gold 2026-04-01 2026-05-01 19990", "bronze 2026-05-01 2026-06-01 4990 renewal",
            ])
        #expect(try shop.store.ledgerFinding().state == .good)
    }

    @Test func `a declined downgrade is retried as the chosen product`() async throws {
        let shop = try await ProviderShop()
        let gold = try await shop.buy(Fixture.gold)
        #expect(try await shop.attempt(Fixture.bronze).state == .done)
        shop.provider.answerNext([.declined(reason: nil), .unknown(why: "lost")])
        try await shop.advance(to: "2026-05-01T12:00:00Z")
        #expect(try await shop.shop.show(gold).state == .billingRetry)
        try await shop.shop.setClock("2026-05-02T12:00:00Z")
        try await shop.unanswered()
        #expect(try shop.shop.periods() == ["gold 2026-04-01 2026-05-01 19990"])
        shop.pass(milliseconds: 1_000)
        try await shop.store.settlePayments()
        #expect(
            shop.asked(after: 2)
                == ["authorize 4990", "authorize 4990", "authorize 4990", "capture 4990"])
        #expect(try shop.shop.periods().last == "bronze 2026-05-02 2026-06-02 4990 renewal")
        #expect(try shop.store.ledgerFinding().state == .good)
    }

    @Test func `a returning subscriber pays with the card again or is declined`() async throws {
        let shop = try await ProviderShop()
        let first = try await shop.buy()
        try await shop.shop.change(first, "cancel")
        try await shop.advance(to: "2026-05-10T00:00:00Z")
        #expect(try await shop.shop.show(first).state == .expired)
        shop.provider.answerNext([.declined(reason: nil)])
        #expect(try await shop.attempt(Fixture.silver).refusal?.code == .paymentDeclined)
        #expect(try await shop.shop.show(first).state == .expired)
        let again = try await shop.attempt(Fixture.silver)
        #expect(again.transaction?.originalTransactionId == first)
        try await shop.advance(to: "2026-06-11T00:00:00Z")
        #expect(
            try shop.shop.periods() == [
                "silver 2026-04-01 2026-05-01 9990", "silver 2026-05-10 2026-06-10 9990",
                "silver 2026-06-10 2026-07-10 9990 renewal",
            ])
        #expect(
            try shop.store.ledger()
                == (1...3).flatMap { ["payment 9990", "charge -9990 #\($0)"] })
        #expect(try shop.store.ledgerFinding().state == .good)
    }

    @Test(arguments: ["agree", "decline", "no answer", "no question"])
    func `the provider is asked for a higher price once it may be charged`(
        answer: String
    ) async throws {
        let shop = try await ProviderShop()
        let silver = try await shop.buy()
        try await shop.shop.change(
            silver, "price-increase",
            body: IncreaseSubscriptionPriceBody(
                price: "12.99", needsConsent: answer != "no question"))
        if ["agree", "decline"].contains(answer) {
            let said = await shop.store.send(
                "POST", "\(shop.shop.base)/device/v1/price-consents/1/\(answer)",
                token: shop.shop.token)
            try #require(said.status == 200)
        }
        try await shop.advance(to: "2026-05-02T00:00:00Z")
        if ["agree", "no question"].contains(answer) {
            #expect(shop.asked(after: 2) == ["authorize 12990", "capture 12990"])
            #expect(try shop.shop.periods().last == "silver 2026-05-01 2026-06-01 12990 renewal")
        } else {
            #expect(shop.asked(after: 2) == [])
            #expect(try await shop.shop.show(silver).state == .expired)
        }
        #expect(try shop.store.ledgerFinding().state == .good)
    }

    @Test func `a price consent given during an open renewal applies from the next renewal`()
        async throws
    {
        let shop = try await ProviderShop()
        let silver = try await shop.buy()
        shop.provider.hold()
        try await shop.shop.setClock("2026-05-01T00:00:01Z")
        try await shop.store.until { shop.provider.asked.last == "authorize 9990" }
        let body = IncreaseSubscriptionPriceBody(price: "12.99", needsConsent: false)
        let path = "/control/v1/subscriptions/\(silver)/price-increase"
        let early = try await shop.store.control("POST", path, body: body)
        #expect(early.status == 503 && errorCode(early) == "paymentOpen")
        shop.provider.letGo()
        try await shop.store.settlePayments()
        #expect(try await shop.store.control("POST", path, body: body).status == 200)
        try await shop.advance(to: "2026-06-02T00:00:00Z")
        #expect(
            try shop.shop.periods().dropFirst() == [
                "silver 2026-05-01 2026-06-01 9990 renewal",
                "silver 2026-06-01 2026-07-01 12990 renewal",
            ])
    }

    @Test func `a family member's period comes with each payment and goes with its refund`()
        async throws
    {
        let shop = try await ProviderShop()
        try await shop.sellMore()
        let made = try await shop.store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .production, name: "kid", password: "rocket-fuel-1", storefront: nil))
        try #require(made.status == 201)
        let kid = try await shop.store.signIn(
            guid: UUID().uuidString, account: "kid", in: shop.shop.base)
        func products() async throws -> [String] {
            let answer = await shop.store.send(
                "GET", "\(shop.shop.base)/device/v1/transactions", token: kid)
            return try WireJSON.decode(UnfinishedBody.self, from: answer.body).transactions.map {
                $0.productId
            }
        }
        for (path, body) in [
            ("", MakeFamilyBody(environment: .production, organiser: "payer")),
            ("/1/add", FamilyMemberNameBody(name: "kid")),
        ] as [(String, any Encodable)] {
            let answer = try await shop.store.control(
                "POST", "/control/v1/families\(path)", body: body)
            try #require([200, 201].contains(answer.status))
        }
        shop.provider.hold()
        async let bought = shop.attempt(Fixture.silver)
        try await shop.store.until { shop.provider.asked == ["authorize 9990"] }
        #expect(try await products() == [])
        shop.provider.letGo()
        let silver = try #require(try await bought.transaction?.transactionId)
        try await shop.store.settlePayments()
        #expect(try await products() == [Fixture.silver])
        shop.provider.answerNext([.declined(reason: nil)])
        try await shop.advance(to: "2026-05-01T12:00:00Z")
        #expect(try await products() == [Fixture.silver], "nobody paid for the second month")
        try await shop.advance(to: "2026-05-02T12:00:00Z")
        #expect(try await products() == [Fixture.silver, Fixture.silver])
        let newest = try await shop.shop.show(silver).transactionId
        try await shop.revoke(newest)
        #expect(try await products() == [Fixture.silver])
        #expect(shop.provider.asked.last == "refund 9990")
        #expect(try shop.store.credit() == 0)
        #expect(try shop.store.ledgerFinding().state == .good)
    }
}
