import Foundation
import StoreModel
import StoreRules
import StoreWire
import Testing

@testable import AppStoreServer

/// What becomes of an offer's signature when the purchase that brought it waits for somebody.
struct ProviderSignatureTests {
    private let provider = ScriptedProvider()

    /// A real account that subscribed once, and whose subscription ended.
    private func open() async throws -> OfferSaleFixture {
        let sale = try await OfferSaleFixture(
            store: try TestStore(provider: provider), in: .production)
        _ = try await sale.lapse()
        try await sale.store.settlePayments()
        return sale
    }

    @Test func `an offer signature can be reused after its payment was declined`() async throws {
        let sale = try await open()
        let discount = try sale.discount()
        provider.answerNext([.declined(reason: "no funds")])
        #expect(try await sale.attempt(discount).refusal?.code == .paymentDeclined)
        #expect(try sale.count("offer_nonce") == 0)
        #expect(try await sale.attempt(discount).state == .done)
        #expect(try await sale.attempt(discount).refusal?.code == .invalidOfferSignature)
        #expect(try sale.fixture.periods().last == "silver 2026-06-01 2026-07-01 990")
    }

    @Test func `an offer signature can be reused after its payment was never answered`()
        async throws
    {
        let sale = try await open()
        let discount = try sale.discount()
        provider.answerNext([.unknown(why: "lost")])
        async let first = sale.attempt(discount)
        try await sale.store.until { try await sale.store.payments().last?.tries == 1 }
        sale.store.move(byMilliseconds: PaymentRules.authorizationMilliseconds)
        sale.store.registry.defaultWorld.payments?.wake()
        #expect(try await first.refusal?.code == .paymentUnavailable)
        try await sale.store.settlePayments()
        #expect(try await sale.attempt(discount).state == .done)
        try await sale.store.settlePayments()
        #expect(
            provider.asked.suffix(4)
                == ["authorize 990", "void", "authorize 990", "capture 990"])
    }

    @Test func `two open attempts with one offer signature sell once`() async throws {
        let sale = try await open()
        let discount = try sale.discount()
        provider.hold()
        let asked = provider.asked.count
        async let first = sale.attempt(discount)
        try await sale.store.until { provider.asked.count > asked }
        #expect(try await sale.attempt(discount).refusal?.code == .invalidOfferSignature)
        provider.answerNext([.approved(reference: nil)])
        provider.letGo()
        #expect(try await first.state == .done)
        #expect(try await sale.attempt(discount).refusal?.code == .invalidOfferSignature)
        #expect(try sale.count("offer_nonce") == 1 && sale.fixture.periods().count == 2)
    }

    @Test func `a late refusal does not release a signature used by another attempt`()
        async throws
    {
        let sale = try await open()
        let discount = try sale.discount()
        provider.answerNext([.declined(reason: nil), .unknown(why: "lost")])
        let id = UUID().uuidString
        #expect(try await sale.attempt(discount, id: id).refusal?.code == .paymentDeclined)
        async let second = sale.attempt(discount)
        try await sale.store.until { try await sale.store.payments().last?.tries == 1 }
        // What was refused first is refused again, however it comes about.
        let database = sale.store.registry.defaultWorld.database
        try database.write { scope in
            let row = try scope.row(
                "SELECT number FROM waiting_purchase WHERE attempt_id = ?1", [.text(id)])
            let number = try #require(row?.integer(0))
            let waiting = try #require(try scope.reading.waitingPurchase(number))
            try scope.refuse(waiting, as: waiting.attempt, now: TestStore.start)
        }
        #expect(try sale.count("offer_nonce") == 1)
        sale.store.move(byMilliseconds: 1_000)
        sale.store.registry.defaultWorld.payments?.wake()
        #expect(try await second.state == .done)
    }

    @Test(arguments: ["decline", "approve"])
    func `an offer signature can be reused after an approval came to nothing`(verb: String)
        async throws
    {
        let sale = try await open()
        let set = try await sale.store.control(
            "POST", "/control/v1/accounts/settings",
            body: AccountSettingsBody(
                environment: .production, name: "payer", needsApproval: true))
        #expect(set.status == 200)
        let discount = try sale.discount()
        #expect(try await sale.attempt(discount).state == .deferred)
        #expect(try await sale.attempt(discount).refusal?.code == .invalidOfferSignature)
        // Approved, the rules refuse what is not for sale any more.
        let state = "\(SubscriptionFixture.app)/products/\(SubscriptionFixture.silver)/state"
        if verb == "approve" {
            try await sale.store.control(
                "PUT", state, body: SaleStateBody(state: .removedFromSale)
            ).expectStatus(200)
        }
        let listed = try await sale.store.control("GET", "/control/v1/approvals")
        let waiting = try WireJSON.decode(ApprovalsBody.self, from: listed.body).approvals
        let number = try #require(waiting.first).number
        try await sale.store.control("POST", "/control/v1/approvals/\(number)/\(verb)")
            .expectStatus(200)
        #expect(try sale.count("offer_nonce") == 0)
        try await sale.store.control("PUT", state, body: SaleStateBody(state: .clearedForSale))
            .expectStatus(200)
        #expect(try await sale.attempt(discount).state == .deferred)
    }
}
