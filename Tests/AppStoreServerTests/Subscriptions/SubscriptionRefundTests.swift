import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// The money of a subscription's period, month by month.
struct SubscriptionRefundTests {
    private typealias Fixture = SubscriptionFixture

    private func ask(
        _ store: Fixture, _ verb: String, _ id: String, _ body: (any Encodable)? = nil
    ) async throws -> RefundBody {
        var answers: [RefundBody] = []
        for _ in 0..<2 {
            let answer = try await store.store.control(
                "POST", "/control/v1/refunds/\(id)/\(verb)", body: body)
            try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
            answers.append(try WireJSON.decode(RefundBody.self, from: answer.body))
        }
        #expect(answers[0] == answers[1])
        return answers[0]
    }

    private func shown(_ store: Fixture, _ key: String) async throws -> [String?] {
        let receipt = try await store.store.receipt(token: store.token)
        let answer = try await store.verify(receipt)
        #expect(answer["status"]?.number == "0")
        return (answer["latest_receipt_info"]?.array ?? []).map { $0[key]?.string }
    }

    @Test func `a prorated refund of half a month and its reversal restore the other half once`()
        async throws
    {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let id = try await store.buy().transactionId
        try await store.advance(to: "2026-04-11T00:00:00Z")
        _ = try await ask(store, "request", id, RequestRefundBody(reason: .unsatisfiedWithPurchase))
        #expect(try await store.show(id).autoRenews == false, "who asks does not go on")
        try await store.advance(to: "2026-04-16T00:00:00Z")
        let granted = try await ask(store, "grant", id, GrantRefundBody(type: .prorated))
        #expect(granted.revocationPercentage == 50_000 && granted.refundMilliunits == 5_000)
        #expect(try await store.show(id).state == .revoked)
        #expect(try await shown(store, "cancellation_reason") == ["1"])
        try await store.advance(to: "2026-04-20T00:00:00Z")
        _ = try await ask(store, "reverse", id)
        let back = try await store.show(id)
        #expect(back.state == .active && !back.autoRenews)
        #expect(back.expiresDate == Timestamp(rfc3339: "2026-05-01T00:00:00Z"))
        #expect(try await shown(store, "cancellation_date") == [nil])
        try await store.advance(to: "2026-06-01T00:00:00Z")
        #expect(try await store.show(id).state == .expired)
        #expect(try store.periods() == ["silver 2026-04-01 2026-05-01 9990"])
        #expect(
            try store.events() == [
                "purchased", "renewalChanged", "refundRequested UNSATISFIED_WITH_PURCHASE",
                "revoked", "refundReversed", "expired 1",
            ])
    }

    @Test func `a subscription that ended before its refund keeps its reason after the reversal`()
        async throws
    {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let id = try await store.buy().transactionId
        let removed = try await store.store.control(
            "PUT", "\(Fixture.app)/products/\(Fixture.silver)/state",
            body: SaleStateBody(state: .removedFromSale, reason: nil, note: nil))
        #expect(removed.status == 200)
        try await store.advance(to: "2026-05-02T00:00:00Z")
        func intent() async throws -> String? {
            let receipt = try await store.store.receipt(token: store.token)
            return try await store.verify(receipt)["pending_renewal_info"]?.array?.first?[
                "expiration_intent"]?.string
        }
        #expect(try await intent() == "4")
        _ = try await ask(store, "request", id, RequestRefundBody(reason: .other))
        _ = try await ask(store, "grant", id, GrantRefundBody(type: .full))
        #expect(try await intent() == "4")
        _ = try await ask(store, "reverse", id)
        #expect(try await intent() == "4")
        #expect(try await store.show(id).expirationReason == 4)
    }

    @Test func `a receipt signed during a refund shows the upgrade again after the reversal`()
        async throws
    {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let silver = try await store.buy().transactionId
        try await store.advance(to: "2026-04-16T00:00:00Z")
        let gold = try await store.buy(Fixture.gold).transactionId
        let before = try await store.store.receipt(token: store.token)
        for id in [silver, gold] {
            _ = try await ask(store, "request", id, RequestRefundBody(reason: .other))
            _ = try await ask(store, "grant", id, GrantRefundBody(type: .full))
        }
        let between = try await store.store.receipt(token: store.token)
        func cancelled(_ receipt: [UInt8]) async throws -> [String] {
            let answer = try await store.verify(receipt)
            return (answer["receipt"]?["in_app"]?.array ?? []).map { purchase in
                let date = purchase["cancellation_date"]?.string?.prefix(10) ?? "-"
                return "\(date) \(purchase["cancellation_reason"]?.string ?? "-")"
            }
        }
        #expect(try await cancelled(between) == ["2026-04-16 0", "2026-04-16 0"])
        for id in [silver, gold] { _ = try await ask(store, "reverse", id) }
        for receipt in [before, between] {
            #expect(try await cancelled(receipt) == ["2026-04-16 -", "- -"])
        }
    }

    @Test func `a subscription can be resumed after a refund reversal and then renews`()
        async throws
    {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let id = try await store.buy().transactionId
        _ = try await ask(store, "request", id, RequestRefundBody(reason: .other))
        _ = try await ask(store, "grant", id, GrantRefundBody(type: .full))
        _ = try await ask(store, "reverse", id)
        try await store.change(id, "resume")
        try await store.advance(to: "2026-05-02T00:00:00Z")
        #expect(
            try store.periods() == [
                "silver 2026-04-01 2026-05-01 9990", "silver 2026-05-01 2026-06-01 9990 renewal",
            ])
    }

    @Test func `refunding an older period leaves the subscription running`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let id = try await store.buy().transactionId
        try await store.advance(to: "2026-05-10T00:00:00Z")
        _ = try await ask(store, "request", id, RequestRefundBody(reason: .legal))
        let granted = try await ask(store, "grant", id, GrantRefundBody(type: .full))
        #expect(granted.refundMilliunits == 9_990)
        #expect(try await store.show(id).state == .active)
        #expect(try await shown(store, "cancellation_reason") == [nil, "0"])
        _ = try await ask(store, "reverse", id)
        #expect(try await shown(store, "cancellation_reason") == [nil, nil])
        #expect(try await store.show(id).state == .active)
    }

    // Two periods of a group would be paid for the same days.
    @Test func `a refund reversal is refused once the same days were bought again`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let id = try await store.buy().transactionId
        _ = try await ask(store, "request", id, RequestRefundBody(reason: .other))
        _ = try await ask(store, "grant", id, GrantRefundBody(type: .full))
        try await store.advance(to: "2026-04-05T00:00:00Z")
        let again = try await store.buy(Fixture.gold)
        let refused = try await store.store.control(
            "POST", "/control/v1/refunds/\(id)/reverse")
        #expect(refused.status == 409 && errorCode(refused) == "periodBoughtAgain")
        #expect(try await shown(store, "cancellation_reason") == [nil, "0"])
        let kept = try await store.show(id)
        #expect(kept.transactionId == again.transactionId && kept.autoRenews)
        #expect(kept.productId == Fixture.gold)
        // Once that is taken back itself, it alone can come again: the subscription is its.
        _ = try await ask(store, "request", again.transactionId, RequestRefundBody(reason: .other))
        _ = try await ask(store, "grant", again.transactionId, GrantRefundBody(type: .full))
        let first = try await store.store.control("POST", "/control/v1/refunds/\(id)/reverse")
        #expect(errorCode(first) == "periodBoughtAgain")
        _ = try await ask(store, "reverse", again.transactionId)
        #expect(try await shown(store, "cancellation_reason") == [nil, "0"])
        #expect(try await store.show(id).state == .active)
    }

    @Test func `reversing a refund keeps a newer period bought after the refunded days`()
        async throws
    {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let id = try await store.buy().transactionId
        _ = try await ask(store, "request", id, RequestRefundBody(reason: .other))
        _ = try await ask(store, "grant", id, GrantRefundBody(type: .full))
        try await store.advance(to: "2026-05-05T00:00:00Z")
        let again = try await store.buy(Fixture.gold)
        _ = try await ask(store, "reverse", id)
        let kept = try await store.show(id)
        #expect(kept.transactionId == again.transactionId && kept.autoRenews)
        #expect(kept.productId == Fixture.gold)
    }

    @Test func `an upgrade's refund reversal is refused beside a newer purchase`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let silver = try await store.buy().transactionId
        try await store.advance(to: "2026-04-11T00:00:00Z")
        let gold = try await store.buy(Fixture.gold).transactionId
        _ = try await ask(store, "request", gold, RequestRefundBody(reason: .other))
        _ = try await ask(store, "grant", gold, GrantRefundBody(type: .full))
        _ = try await store.buy()
        let refused = try await store.store.control(
            "POST", "/control/v1/refunds/\(gold)/reverse")
        #expect(errorCode(refused) == "periodBoughtAgain")
        // What the upgrade had ended does not run at that time.
        _ = try await ask(store, "request", silver, RequestRefundBody(reason: .other))
        _ = try await ask(store, "grant", silver, GrantRefundBody(type: .full))
        _ = try await ask(store, "reverse", silver)
    }

    @Test func `a refund leaves out what an upgrade already gave back`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let silver = try await store.buy().transactionId
        try await store.advance(to: "2026-04-16T00:00:00Z")
        try await store.buy(Fixture.gold)
        _ = try await ask(store, "request", silver, RequestRefundBody(reason: .other))
        let granted = try await ask(store, "grant", silver, GrantRefundBody(type: .full))
        #expect(granted.refundMilliunits == 4_990)
        #expect(try await store.show(silver).productId == Fixture.gold)
    }
}
