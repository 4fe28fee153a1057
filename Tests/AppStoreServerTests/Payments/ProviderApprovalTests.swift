import Foundation
import StoreModel
import StoreRules
import StoreWire
import TestSupport
import Testing

@testable import AppStoreServer

/// Purchases that somebody approves, and a card pays then. A consumable is 0.99.
struct ProviderApprovalTests {
    private let provider = ScriptedProvider()
    private let folder = TemporaryFolder()

    /// A real account that needs approval, and one attempt of it that waits.
    private func open(
        _ product: String = Samples.fuel, credit: String? = nil
    ) async throws -> (store: TestStore, token: String, id: String) {
        let store = try TestStore(folder: folder, provider: provider)
        let token = try await store.openProduction()
        if let credit { try await store.topUp(credit) }
        let set = try await store.control(
            "POST", "/control/v1/accounts/settings",
            body: AccountSettingsBody(
                environment: .production, name: "payer", needsApproval: true))
        try #require(set.status == 200)
        let id = UUID().uuidString
        #expect(try await attempt(product, id, store, token).state == .deferred)
        #expect(provider.asked == [])
        return (store, token, id)
    }

    private func attempt(
        _ product: String = Samples.fuel, _ id: String, _ store: TestStore, _ token: String
    ) async throws -> AttemptAnswerBody {
        try await store.realAttempt(product, id: id, token: token)
    }

    /// Approves twice, as after a lost answer.
    private func approve(_ store: TestStore) async throws {
        for _ in 0..<2 {
            let answer = try await store.control("POST", "/control/v1/approvals/1/approve")
            try #require(answer.status == 200)
            let body = try WireJSON.decode(ApprovalBody.self, from: answer.body)
            #expect(body.state == .approved)
        }
    }

    private func pass(_ store: TestStore, milliseconds: Int64) {
        store.move(byMilliseconds: milliseconds)
        store.registry.defaultWorld.payments?.wake()
    }

    @Test func `an approved purchase is sold when the late provider answer arrives`() async throws {
        let (store, token, id) = try await open(credit: "0.5")
        provider.answerNext([.unknown(why: "lost")])
        try await approve(store)
        try await store.until { try await store.payments().first?.tries == 1 }
        #expect(try store.attemptState(id) == .unknown)
        #expect(try store.ledger() == ["topUp 500"])
        let declined = try await store.control("POST", "/control/v1/approvals/1/decline")
        #expect(declined.status == 409)
        pass(store, milliseconds: 1_000)
        try await store.settlePayments()
        #expect(provider.asked == ["authorize 490", "authorize 490", "capture 490"])
        #expect(try await attempt(Samples.fuel, id, store, token).state == .done)
        #expect(try store.ledger() == ["topUp 500", "payment 490", "charge -990 #1"])
        #expect(try store.ledgerFinding().state == .good)
    }

    @Test func `an approved purchase survives a restart, after which the card is asked again`()
        async throws
    {
        let (store, token, id) = try await open()
        provider.answerNext([.unknown(why: "lost")])
        try await approve(store)
        try await store.until { try await store.payments().first?.tries == 1 }
        store.registry.close()
        let after = try TestStore(
            folder: folder, at: TestStore.start.adding(milliseconds: 1_000), provider: provider)
        try await after.settlePayments()
        #expect(provider.asked == ["authorize 990", "authorize 990", "capture 990"])
        let sold = try await attempt(Samples.fuel, id, after, token)
        #expect(sold.state == .done)
        try await approve(after)
        #expect(try await attempt(Samples.fuel, id, after, token) == sold)
        #expect(try after.ledger() == ["payment 990", "charge -990 #1"])
        #expect(try after.ledgerFinding().state == .good)
    }

    @Test func `an approved purchase without an answer is given up after 15 minutes and reported`()
        async throws
    {
        let (store, token, id) = try await open()
        provider.answerNext([.unknown(why: "lost")])
        try await approve(store)
        try await store.until { try await store.payments().first?.tries == 1 }
        pass(store, milliseconds: PaymentRules.authorizationMilliseconds)
        try await store.settlePayments()
        #expect(provider.asked == ["authorize 990", "void"])
        let refused = try await attempt(Samples.fuel, id, store, token)
        #expect(refused.refusal?.code == .paymentUnavailable)
        let updates = await store.send(
            "GET", "/production/device/v1/updates?after=0", token: token)
        let heard = try WireJSON.decode(UpdatesBody.self, from: updates.body).events
        #expect(heard.map(\.kind) == [.declined])
        #expect(try store.ledger() == [])
    }

    @Test
    func `an approved purchase is refused when its credit was spent during the authorization`()
        async throws
    {
        let (store, token, id) = try await open(credit: "0.5")
        provider.hold()
        try await approve(store)
        try await store.until { provider.asked == ["authorize 490"] }
        let taken = try await store.control(
            "POST", "/control/v1/accounts/credit/correct",
            body: CorrectCreditBody(
                environment: .production, name: "payer", requestId: UUID().uuidString,
                amount: "-0.2", reason: "Paid in twice."))
        try #require(taken.status == 200)
        provider.letGo()
        try await store.settlePayments()
        #expect(provider.asked == ["authorize 490", "void"])
        let refused = try await attempt(Samples.fuel, id, store, token)
        #expect(refused.refusal?.code == .insufficientCredit)
        #expect(try store.ledger() == ["topUp 500", "correction -200"])
    }

    @Test func `an approved subscription begins when the card pays for it`() async throws {
        let (store, token, id) = try await open(Samples.club)
        provider.answerNext([.unknown(why: "lost")])
        try await approve(store)
        try await store.until { try await store.payments().first?.tries == 1 }
        store.move(byMilliseconds: 60_000)
        store.registry.defaultWorld.payments?.wake()
        try await store.settlePayments()
        let sold = try #require(try await attempt(Samples.club, id, store, token).transaction)
        #expect(sold.purchaseDate == TestStore.start.adding(milliseconds: 60_000))
        #expect(provider.asked.count == 3)
        #expect(try store.ledgerFinding().state == .good)
    }
}
