import Foundation
import StoreHTTP
import StoreModel
import StoreRules
import StoreWire
import TestSupport
import Testing

@testable import AppStoreServer

/// Purchases for which a payment provider is asked, because credit lacks something.
struct ProviderPurchaseTests {
    private let provider = ScriptedProvider()
    private let store: TestStore

    init() throws {
        store = try TestStore(provider: provider)
    }

    private func attempt(
        _ product: String = Samples.fuel, id: String = UUID().uuidString, quantity: Int = 1,
        token: String
    ) async throws -> AttemptAnswerBody {
        try await store.realAttempt(product, id: id, quantity: quantity, token: token)
    }

    @Test func `credit pays first and the provider pays the rest`() async throws {
        let token = try await store.openProduction()
        try await store.topUp("0.5")
        let id = UUID().uuidString
        let sold = try await attempt(id: id, token: token)
        #expect(sold.state == .done && sold.transaction != nil)
        #expect(try await attempt(id: id, token: token) == sold)
        try await store.settlePayments()
        #expect(provider.asked == ["authorize 490", "capture 490"])
        #expect(try store.ledger() == ["topUp 500", "payment 490", "charge -990 #1"])
        #expect(try store.credit() == 0)
        let paid = try #require(try await store.payments().first)
        #expect(paid.state == .captured && paid.capturedMilliunits == 490)
        #expect(paid.transactionId == sold.transaction?.transactionId)
        #expect(paid.reference == "scripted")
        #expect(try store.ledgerFinding().state == .good)
    }

    @Test func `a purchase fully covered by credit never reaches the provider`() async throws {
        let token = try await store.openProduction()
        try await store.topUp("1")
        #expect(try await attempt(token: token).state == .done)
        #expect(provider.asked == [])
    }

    @Test func `a declined payment refuses the purchase and costs nothing`() async throws {
        let token = try await store.openProduction()
        provider.answerNext([.declined(reason: "no funds")])
        let id = UUID().uuidString
        let refused = try await attempt(id: id, token: token)
        #expect(refused.state == .refused && refused.refusal?.code == .paymentDeclined)
        #expect(try await attempt(id: id, token: token) == refused)
        #expect(provider.asked == ["authorize 990"])
        #expect(try store.ledger() == [])
        let payment = try #require(try await store.payments().first)
        #expect(payment.state == .declined && payment.reason == "no funds")
        #expect(try await attempt(token: token).state == .done)
    }

    @Test func `a lost provider answer is asked for until it comes`() async throws {
        let token = try await store.openProduction()
        provider.answerNext([.unknown(why: "lost"), .unknown(why: "lost")])
        let id = UUID().uuidString
        async let first = attempt(id: id, token: token)
        try await store.until { try await store.payments().first?.tries == 1 }
        #expect(try store.attemptState(id) == .unknown)
        store.move(byMilliseconds: 1_000)
        store.registry.defaultWorld.payments?.wake()
        try await store.until { try await store.payments().first?.tries == 2 }
        store.move(byMilliseconds: 2_000)
        store.registry.defaultWorld.payments?.wake()
        #expect(try await first.state == .done)
        try await store.settlePayments()
        #expect(
            provider.asked == ["authorize 990", "authorize 990", "authorize 990", "capture 990"])
        #expect(try store.ledger() == ["payment 990", "charge -990 #1"])
    }

    @Test func `an attempt without a provider answer is given up and its payment voided`()
        async throws
    {
        let token = try await store.openProduction()
        provider.answerNext([.unknown(why: "lost")])
        let id = UUID().uuidString
        async let first = attempt(id: id, token: token)
        try await store.until { try await store.payments().first?.tries == 1 }
        store.move(byMilliseconds: PaymentRules.authorizationMilliseconds)
        store.registry.defaultWorld.payments?.wake()
        #expect(try await first.refusal?.code == .paymentUnavailable)
        try await store.settlePayments()
        #expect(provider.asked == ["authorize 990", "void"])
        #expect(try await store.payments().first?.state == .voided)
        #expect(try store.ledger() == [])
    }

    @Test func `an approved purchase waits for its payment`() async throws {
        let token = try await store.openProduction()
        let set = try await store.control(
            "POST", "/control/v1/accounts/settings",
            body: AccountSettingsBody(
                environment: .production, name: "payer", needsApproval: true))
        #expect(set.status == 200)
        let ids = [UUID().uuidString, UUID().uuidString]
        for id in ids { #expect(try await attempt(id: id, token: token).state == .deferred) }
        #expect(provider.asked == [])
        provider.answerNext([.approved(reference: nil)])
        for number in 1...2 {
            if number == 2 { provider.answerNext([.declined(reason: nil)]) }
            let answer = try await store.control(
                "POST", "/control/v1/approvals/\(number)/approve")
            let approval = try WireJSON.decode(ApprovalBody.self, from: answer.body)
            #expect(approval.state == .approved)
            try await store.settlePayments()
        }
        #expect(try await attempt(id: ids[0], token: token).state == .done)
        #expect(try await attempt(id: ids[1], token: token).refusal?.code == .paymentDeclined)
        #expect(try store.ledger() == ["payment 990", "charge -990 #1"])
    }

    @Test func `revoking a purchase refunds the provider's part first`() async throws {
        let token = try await store.openProduction()
        try await store.topUp("0.5")
        let sold = try #require(try await attempt(token: token).transaction)
        try await store.settlePayments()
        for _ in 0..<2 {
            let answer = try await store.control(
                "POST", "/control/v1/transactions/\(sold.transactionId)/revoke",
                body: RevokeBody(reason: .other))
            #expect(answer.status == 200)
        }
        try await store.settlePayments()
        #expect(provider.asked == ["authorize 490", "capture 490", "refund 490"])
        #expect(
            try store.ledger() == [
                "topUp 500", "payment 490", "charge -990 #1", "refund 990 #1", "payout -490",
            ])
        #expect(try store.credit() == 500)
        #expect(try await store.payments().first?.refunds.map(\.state) == [.refunded])
        #expect(try store.ledgerFinding().state == .good)
    }

    @Test func `a refund the provider declines stays as credit`() async throws {
        let token = try await store.openProduction()
        let sold = try #require(try await attempt(token: token).transaction)
        try await store.settlePayments()
        provider.answerNext([.declined(reason: "card closed")])
        _ = try await store.control(
            "POST", "/control/v1/transactions/\(sold.transactionId)/revoke",
            body: RevokeBody(reason: .other))
        try await store.settlePayments()
        #expect(
            try store.ledger() == [
                "payment 990", "charge -990 #1", "refund 990 #1", "payout -990", "payment 990",
            ])
        #expect(try store.credit() == 990)
        let refund = try #require(try await store.payments().first?.refunds.first)
        #expect(refund.state == .failed && refund.reason == "card closed")
        #expect(try store.ledgerFinding().state == .good)
    }

    @Test func `a declined capture is reported and nothing is refunded for it`() async throws {
        let token = try await store.openProduction()
        provider.answerNext([.approved(reference: nil), .declined(reason: "expired")])
        let sold = try #require(try await attempt(token: token).transaction)
        try await store.settlePayments()
        #expect(try await store.payments(state: "failed").count == 1)
        // It is written after the commit.
        try await store.until { store.lines.all.contains { $0.contains("paymentFailed") } }
        _ = try await store.control(
            "POST", "/control/v1/transactions/\(sold.transactionId)/revoke",
            body: RevokeBody(reason: .other))
        try await store.settlePayments()
        #expect(provider.asked == ["authorize 990", "capture 990"])
        #expect(try store.credit() == 0)
        #expect(try store.ledgerFinding().state == .good)
    }

    @Test func `an account cannot try out cards without limit`() async throws {
        let token = try await store.openProduction()
        let no = Array(
            repeating: ProviderOutcome.declined(reason: nil), count: Limits.declinedPaymentsMax)
        provider.answerNext(no)
        for _ in no {
            #expect(try await attempt(token: token).refusal?.code == .paymentDeclined)
        }
        #expect(try await attempt(token: token).refusal?.code == .insufficientCredit)
        #expect(provider.asked.count == Limits.declinedPaymentsMax)
        store.move(byMilliseconds: Limits.declinedPaymentsMilliseconds)
        #expect(try await attempt(token: token).state == .done)
    }

    @Test func `a world that lost its provider gives up open purchases`()
        async throws
    {
        let folder = TemporaryFolder()
        let lost = ScriptedProvider([.unknown(why: "lost")])
        let before = try TestStore(folder: folder, provider: lost)
        let token = try await before.openProduction()
        let id = UUID().uuidString
        async let first = before.attempt(Samples.fuel, id: id, token: token, in: "/production")
        try await before.until { try await before.payments().first?.tries == 1 }
        before.registry.close()
        _ = try await first
        let later = TestStore.start.adding(
            milliseconds: PaymentRules.authorizationMilliseconds)
        let after = try TestStore(folder: folder, at: later)
        try await after.until { try after.attemptState(id) == .refused }
        #expect(after.lines.all.contains { $0.contains("paymentsUnsettled") })
        #expect(try await after.payments().first?.state == .voiding)
        let next = try await after.attempt(Samples.fuel, token: token, in: "/production")
        let answer = try WireJSON.decode(AttemptAnswerBody.self, from: next.body)
        #expect(answer.refusal?.code == .insufficientCredit)
    }

    @Test func `test accounts and test sessions never reach the provider`() async throws {
        _ = try await store.openProduction()
        let tester = try await store.signIn(guid: UUID().uuidString)
        _ = try await store.buy(Samples.turbo, token: tester)
        let made = try await store.control(
            "POST", "/control/v1/worlds", body: MakeWorldBody(name: "apart"))
        #expect(made.status == 201)
        let name = try #require(WorldName("apart"))
        let session = try store.registry.world(name)
        #expect(session != nil && session?.payments == nil)
        #expect(provider.asked == [])
    }
}
