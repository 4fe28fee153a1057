import Foundation
import StoreHTTP
import StoreModel
import StoreRules
import StoreWire
import Testing

@testable import AppStoreServer

/// Signed offers of payments for which a payment provider is asked.
struct ProviderOfferTests {
    private typealias F = OfferSaleFixture

    /// Somebody whose subscription has ended, and who has no credit.
    private func open(
        _ provider: ScriptedProvider
    ) async throws -> (sale: OfferSaleFixture, original: String) {
        let sale = try await F(store: try TestStore(provider: provider), in: .production)
        let first = try await sale.lapse()
        try await sale.store.settlePayments()
        return (sale, first.transactionId)
    }

    @Test func `the provider is charged the offer price first and then the full price`()
        async throws
    {
        let provider = ScriptedProvider()
        let (sale, original) = try await open(provider)
        let bought = try await sale.attempt(try sale.discount(), shown: 990)
        #expect(bought.transaction?.originalTransactionId == original)
        try await sale.fixture.advance(to: "2026-08-15T00:00:00Z")
        try await sale.store.settlePayments()
        #expect(
            provider.asked.filter { $0.hasPrefix("authorize") } == [
                "authorize 9990", "authorize 990", "authorize 990", "authorize 9990",
            ])
        #expect(try sale.count("offer_nonce") == 1)
        #expect(try sale.store.ledgerFinding().state == .good)
    }

    @Test func `an offer whose provider answer is lost is sold once with one signature`()
        async throws
    {
        let provider = ScriptedProvider()
        let (sale, _) = try await open(provider)
        provider.answerNext([.unknown(why: "lost")])
        let (discount, id) = (try sale.discount(), "5B0C3C8E-9D6E-4F0A-8F36-0E5C1B1E7A11")
        async let first = sale.attempt(discount, id: id)
        try await sale.store.until { try await sale.store.payments().last?.tries == 1 }
        #expect(try sale.count("offer_nonce") == 1)
        // The signature is that attempt's, whatever becomes of it.
        let other = try await sale.attempt(discount)
        #expect(other.refusal?.code == .invalidOfferSignature)
        sale.store.move(byMilliseconds: 1_000)
        sale.store.registry.defaultWorld.payments?.wake()
        #expect(try await first.state == .done)
        #expect(try await sale.attempt(discount, id: id).state == .done)
        try await sale.store.settlePayments()
        #expect(try sale.fixture.periods().last == "silver 2026-06-01 2026-07-01 990")
    }

    @Test func `an account whose cards were declined keeps its offer signature`() async throws {
        let provider = ScriptedProvider()
        let (sale, _) = try await open(provider)
        let no = Array(
            repeating: ProviderOutcome.declined(reason: nil), count: Limits.declinedPaymentsMax)
        provider.answerNext(no)
        for _ in no {
            #expect(try await sale.attempt(nil).refusal?.code == .paymentDeclined)
        }
        let (discount, asked) = (try sale.discount(), provider.asked.count)
        #expect(try await sale.attempt(discount).refusal?.code == .insufficientCredit)
        #expect(provider.asked.count == asked)
        #expect(try sale.count("offer_nonce") == 0)
        sale.store.move(byMilliseconds: Limits.declinedPaymentsMilliseconds)
        #expect(try await sale.attempt(discount).state == .done)
        #expect(try sale.count("offer_nonce") == 1)
        try await sale.store.settlePayments()
        #expect(provider.asked.suffix(2) == ["authorize 990", "capture 990"])
    }

    @Test func `a changed price is refused before the provider is asked`() async throws {
        let provider = ScriptedProvider()
        let (sale, _) = try await open(provider)
        let (discount, asked) = (try sale.discount(), provider.asked.count)
        let refused = try await sale.attempt(discount, shown: 9_990)
        #expect(refused.refusal?.code == .priceChanged)
        #expect(provider.asked.count == asked)
        #expect(try sale.count("offer_nonce") == 0)
    }

    private func winBack(
        _ sale: OfferSaleFixture, id: String = UUID().uuidString
    ) async throws -> AttemptAnswerBody {
        let answer = await sale.store.send(
            "POST", "\(sale.fixture.base)/device/v1/attempts", token: sale.fixture.token,
            body: try WireJSON.encode(
                AttemptRequestBody(
                    attemptId: id, productId: SubscriptionFixture.silver, quantity: 1,
                    applicationUsername: nil, winBackOfferId: F.back)))
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try WireJSON.decode(AttemptAnswerBody.self, from: answer.body)
    }

    @Test func `a win-back offer is authorized and captured at its price, once`() async throws {
        let provider = ScriptedProvider()
        let (sale, _) = try await open(provider)
        let (id, asked) = (UUID().uuidString, provider.asked.count)
        let sold = try await winBack(sale, id: id)
        #expect(sold.state == .done)
        #expect(try await winBack(sale, id: id) == sold)
        try await sale.store.settlePayments()
        #expect(provider.asked.dropFirst(asked) == ["authorize 2990", "capture 2990"])
        #expect(try sale.fixture.periods().last == "silver 2026-06-01 2026-07-01 2990")
        #expect(try await winBack(sale).refusal?.code == .offerNotEligible)
        #expect(provider.asked.count == asked + 2)
        #expect(try sale.store.ledgerFinding().state == .good)
    }

    @Test func `a win-back offer whose payment is declined sells nothing and stays`() async throws {
        let provider = ScriptedProvider()
        let (sale, _) = try await open(provider)
        let (asked, periods) = (provider.asked.count, try sale.fixture.periods())
        provider.answerNext([.declined(reason: nil)])
        #expect(try await winBack(sale).refusal?.code == .paymentDeclined)
        #expect(provider.asked.dropFirst(asked) == ["authorize 2990"])
        #expect(try sale.fixture.periods() == periods)
        #expect(try await winBack(sale).state == .done)
        try await sale.store.settlePayments()
        #expect(provider.asked.dropFirst(asked + 1) == ["authorize 2990", "capture 2990"])
        #expect(try sale.store.ledgerFinding().state == .good)
    }
}
