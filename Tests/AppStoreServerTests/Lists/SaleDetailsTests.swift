import Foundation
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// One transaction with all that belongs to it.
struct SaleDetailsTests {
    @Test func `a family's purchase shows its copies, and a copy what it is of`() async throws {
        let family = try await FamilyFixture()
        try await family.family(with: "kid", "aunt")
        let turbo = try await family.store.buy(Samples.turbo, token: family.mother).transactionId
        let path = "/transactions/\(turbo)"
        let shown: SaleDetailsBody = try await family.store.list(path)
        #expect(shown.familyCopies.map(\.account) == ["kid", "aunt"])
        #expect(shown.familyCopies.allSatisfy { $0.sold.isShared && $0.state == .unfinished })
        #expect(shown.sharedTransactionId == nil && !shown.transaction.sold.isShared)
        #expect(shown.deviceId == 1 && shown.ledger.isEmpty && shown.payment == nil)
        let copy = try #require(shown.familyCopies.first)
        let its: SaleDetailsBody = try await family.store.list(
            "/transactions/\(copy.sold.transactionId)")
        #expect(its.sharedTransactionId == turbo && its.familyCopies.isEmpty)
        #expect(its.transaction == copy)
        #expect(try await family.store.sales("account=kid") == [copy.sold.transactionId])
        #expect(try await family.revoke(turbo).status == 200)
        let taken: SaleDetailsBody = try await family.store.list(path)
        #expect(taken.transaction.state == .revoked)
        #expect(taken.transaction.revocationReason == .issue)
        #expect(taken.familyCopies.map(\.state) == [.revoked, .revoked])
    }

    @Test func `a paid purchase shows payment, refund and postings that sum to nothing`()
        async throws
    {
        let provider = ScriptedProvider()
        let store = try TestStore(provider: provider)
        let token = try await store.openProduction()
        try await store.topUp("0.5")
        let sold = try await store.realAttempt(
            Samples.fuel, id: "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A12", token: token)
        let id = try #require(sold.transaction?.transactionId)
        try await store.settlePayments()
        let paid: SaleDetailsBody = try await store.list("/transactions/\(id)")
        #expect(paid.transaction.sold.chargedMilliunits == 990)
        #expect(paid.payment?.capturedMilliunits == 490)
        #expect(paid.ledger.map(\.kind) == [.payment, .charge])
        #expect(
            paid.ledger.map { $0.postings.map(\.name) } == [["payer", nil], ["payer", "default"]])
        let asked = try await store.control(
            "POST", "/control/v1/refunds/\(id)/request",
            body: RequestRefundBody(reason: .unintendedPurchase))
        #expect(asked.status == 200)
        let granted = try await store.control(
            "POST", "/control/v1/refunds/\(id)/grant", body: GrantRefundBody(type: .full))
        #expect(granted.status == 200)
        try await store.settlePayments()
        let back: SaleDetailsBody = try await store.list("/transactions/\(id)")
        #expect(back.refund?.state == .granted && back.transaction.state == .revoked)
        #expect(back.transaction.sold.refundedMilliunits == 990)
        #expect(Set(back.ledger.map(\.kind)) == [.payment, .charge, .refund, .payout])
        #expect(back.ledger.map(\.number) == back.ledger.map(\.number).sorted())
        for entry in back.ledger {
            #expect(entry.postings.reduce(0) { $0 + $1.milliunits } == 0)
        }
        #expect(back.payment?.refunds.count == 1)
        let answer = try await store.control("GET", "/control/v1/transactions/\(id)")
        let hidden = try #require(back.payment)
        var text = String(decoding: answer.body, as: UTF8.self)
            .replacing(hidden.paymentId, with: "…")
        for refund in hidden.refunds { text = text.replacing(refund.refundId, with: "…") }
        try Golden.check(Array(text.utf8), "control-transaction.json")
    }

    @Test func `a period that was replaced shows what was given back`() async throws {
        let shop = try await SubscriptionFixture()
        let first = try await shop.buy().transactionId
        try await shop.advance(to: "2026-02-10T10:00:00Z")
        try await shop.buy(SubscriptionFixture.gold)
        let shown: SaleDetailsBody = try await shop.store.list("/transactions/\(first)")
        #expect(shown.transaction.state == .replaced && shown.transaction.replacedAt != nil)
        #expect(shown.transaction.expiresAt != nil)
        #expect(shown.subscriptionGroup == SubscriptionFixture.group)
        #expect(shown.upgradeRefundMilliunits ?? 0 > 0)
        #expect(try await shop.store.sales("state=replaced") == [first])
    }

    @Test func `a restored copy is shown with what it restores, and not listed`() async throws {
        let store = try TestStore()
        try await store.stock()
        let token = try await store.signIn()
        let turbo = try await store.buyAndFinish(Samples.turbo, token: token).transactionId
        let copy = try #require(try await store.restore(token: token).first)
        let shown: SaleDetailsBody = try await store.list("/transactions/\(copy.transactionId)")
        #expect(shown.restoredTransactionId == turbo)
        #expect(shown.attemptId == copy.attemptId)
        for query in ["", "account=buyer", "product=\(Samples.turbo)", "order=newest"] {
            #expect(try await store.sales(query) == [turbo])
        }
    }

    @Test(arguments: ["1", "0", "x", "-1", "01", "99999999999999999999", "2000000000000001"])
    func `an unknown number is not found`(id: String) async throws {
        let store = try TestStore()
        try await store.stock()
        _ = try await store.buy(Samples.fuel, token: try await store.signIn())
        let found = try await store.refusal("/transactions/\(id)")
        #expect(found.status == 404 && found.code == "transactionUnknown")
        #expect(found.message == "This world has no such transaction.")
    }
}
