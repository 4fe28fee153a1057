import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Subscriptions in a family, month by month.
struct FamilySubscriptionTests {
    /// The periods that the kid has: from, to, and what became of it.
    private func periods(_ home: FamilyFixture) async throws -> [String] {
        try home.store.registry.defaultWorld.database.read { scope in
            try scope.rows(
                """
                SELECT product_id, purchased_ms, expires_ms, upgraded_ms, at_ms
                FROM store_transaction LEFT JOIN revocation ON transaction_id = store_transaction.id
                JOIN account ON account.id = store_transaction.account_id
                WHERE account.name = 'kid' AND restore_id IS NULL ORDER BY store_transaction.id
                """
            ).map { row in
                func day(_ column: Int) -> String {
                    let date = CalendarDate(Timestamp(milliseconds: row.integer(column)))
                    return String(date.rfc3339.dropFirst(5).prefix(5))
                }
                let name = row.text(0).split(separator: ".").last ?? ""
                return "\(name) \(day(1)) \(day(2))"
                    + (row.integerOrNil(3) == nil ? "" : " upgraded")
                    + (row.integerOrNil(4) == nil ? "" : " revoked")
            }
        }
    }

    private func pending(_ token: String, _ home: FamilyFixture) async throws -> [JSONValue] {
        try await home.verified(token)["pending_renewal_info"]?.array ?? []
    }

    @Test func `each subscription period is shared in the commit that creates it`() async throws {
        let home = try await FamilyFixture(trial: SubscriptionFixture.freeWeek)
        try await home.family(with: "kid")
        try await home.shop.buy()
        let report = try await home.shop.advance(to: "2026-03-20T00:00:00Z")
        #expect(report.renewals == 2, "a shared period is no renewal of its own")
        #expect(
            try await periods(home) == [
                "silver 01-31 02-07", "silver 02-07 03-07", "silver 03-07 04-07",
            ])
        let answer = try await home.verified(home.kid)
        let latest = try #require(answer["latest_receipt_info"]?.array)
        #expect(Set(latest.compactMap { $0["original_transaction_id"]?.string }).count == 1)
        #expect(
            latest.map { $0["in_app_ownership_type"]?.string }
                == Array(repeating: "FAMILY_SHARED", count: 3))
        #expect(latest.last?["is_trial_period"]?.string == "true")
        let lines = latest.compactMap { $0["web_order_line_item_id"]?.string }
        let mothers = try await home.verified(home.mother)
        let others = try #require(mothers["latest_receipt_info"]?.array)
            .compactMap { $0["web_order_line_item_id"]?.string }
        #expect(Set(lines + others).count == 6)
        let renewal = try #require(answer["pending_renewal_info"]?.array?.first)
        #expect(renewal["auto_renew_status"]?.string == "1")
        #expect(
            renewal["original_transaction_id"] == latest.first?["original_transaction_id"])
        try Golden.check(
            answer.plain.xcodeBytes, "verify-subscription-family-shared.json")
        let newest = try #require(latest.first?["transaction_id"]?.string)
        let old = try await home.shop.verify(
            try await home.shop.transactionReceipt(of: newest, token: home.kid))
        #expect(old["status"]?.integer == 0)
        // The kid's device is another in each run.
        let device = try #require(old["receipt"]?["unique_vendor_identifier"]?.string)
        let text = String(decoding: old.plain.xcodeBytes, as: UTF8.self)
        try Golden.check(
            Array(text.replacing(device, with: "…").utf8),
            "verify-old-subscription-family-shared.json")
        // The intro offer is who paid with: the kid's own begins with one as well.
        try await home.shop.change(
            try #require(
                mothers["latest_receipt_info"]?.array?.first?["original_transaction_id"]?.string),
            "expire")
        let own = try await home.store.buy(FamilyFixture.silver, token: home.kid)
        #expect(own.originalTransactionId == own.transactionId)
        #expect(try await periods(home).last == "silver 03-20 03-27")
    }

    @Test func `a member who joins mid-period gets the rest of it and the next ones`() async throws
    {
        let home = try await FamilyFixture()
        try await home.shop.buy()
        try await home.family()
        // The renewal of the 28th is due when the kid joins, and comes first.
        try await home.shop.advance(to: "2026-03-10T00:00:00Z")
        #expect(try await home.change("/1/add", FamilyMemberNameBody(name: "kid")) == [1, 0])
        try await home.shop.advance(to: "2026-04-10T00:00:00Z")
        #expect(try await periods(home) == ["silver 03-10 03-31", "silver 03-31 04-30"])
    }

    @Test func `a member who leaves and returns has no subscription in between`() async throws {
        let home = try await FamilyFixture()
        try await home.family(with: "kid")
        try await home.shop.buy()
        try await home.shop.advance(to: "2026-02-10T00:00:00Z")
        #expect(try await home.change("/1/remove", FamilyMemberNameBody(name: "kid")) == [0, 1])
        let left = try #require(try await pending(home.kid, home).first)
        #expect(left["auto_renew_status"]?.string == "0")
        #expect(left["expiration_intent"]?.string == "5")
        try await home.shop.advance(to: "2026-03-10T00:00:00Z")
        #expect(try await home.change("/1/add", FamilyMemberNameBody(name: "kid")) == [1, 0])
        try await home.shop.advance(to: "2026-04-10T00:00:00Z")
        #expect(
            try await periods(home) == [
                "silver 01-31 02-28 revoked", "silver 03-10 03-31", "silver 03-31 04-30",
            ])
        #expect(
            try await pending(home.kid, home).map { $0["auto_renew_status"]?.string } == ["0", "1"])
    }

    @Test func `an upgrade is shared with everybody unless the new product is not shareable`()
        async throws
    {
        let home = try await FamilyFixture()
        try await home.family(with: "kid")
        let first = try await home.shop.buy()
        try await home.shop.advance(to: "2026-02-10T00:00:00Z")
        try await home.shop.buy(FamilyFixture.gold)
        #expect(try await periods(home) == ["silver 01-31 02-28 upgraded", "gold 02-10 03-10"])
        let gold = try #require(try await pending(home.kid, home).first)
        #expect(gold["product_id"]?.string == FamilyFixture.gold)
        #expect(try await pending(home.kid, home).count == 1, "it goes on")
        // Bronze comes with the renewal, and may not be shared.
        try await home.shop.change(
            first.transactionId, "choose",
            body: ChooseSubscriptionBody(productId: FamilyFixture.bronze))
        #expect(
            try await pending(home.kid, home).first?["auto_renew_product_id"]?.string
                == FamilyFixture.bronze)
        try await home.shop.advance(to: "2026-03-20T00:00:00Z")
        #expect(try await periods(home).count == 2)
        let ended = try #require(try await pending(home.kid, home).first)
        #expect(ended["auto_renew_status"]?.string == "0")
        #expect(ended["expiration_intent"]?.string == "5")
    }

    @Test func `refunding a subscription period ends it for every member`() async throws {
        let home = try await FamilyFixture()
        try await home.family(with: "kid")
        let first = try await home.shop.buy()
        try await home.shop.advance(to: "2026-03-10T00:00:00Z")
        let newest = try await home.shop.show(first.transactionId)
        #expect(newest.state == .active)
        let cursor = try await home.updates(home.kid).cursor
        let mine = try await home.unfinished(home.mother).last?.transactionId
        #expect(try await home.revoke(try #require(mine)).status == 200)
        #expect(try await home.updates(home.kid, after: cursor).events.map(\.kind) == [.revoked])
        #expect(
            try await periods(home) == ["silver 01-31 02-28", "silver 02-28 03-31 revoked"])
        #expect(
            try await home.shown(home.kid) == [
                "silver FAMILY_SHARED", "silver FAMILY_SHARED cancelled reason 1",
            ])
    }

    @Test func `a failed payment ends sharing, a grace period keeps it, recovery restores it`()
        async throws
    {
        let home = try await FamilyFixture()
        let set = try await home.store.control(
            "PUT", "\(SubscriptionFixture.app)/grace-period", body: GracePeriodBody(days: 16))
        #expect(set.status == 200)
        try await home.family(with: "kid")
        let first = try await home.shop.buy()
        try await home.shop.change(first.transactionId, "fail-billing")
        try await home.shop.advance(to: "2026-03-05T00:00:00Z")
        #expect(
            try await pending(home.kid, home).first?["grace_period_expires_date"] != nil)
        #expect(try await home.change("/1/add", FamilyMemberNameBody(name: "aunt")) == [1, 0])
        #expect(try await home.change("/1/remove", FamilyMemberNameBody(name: "aunt")) == [0, 1])
        try await home.shop.advance(to: "2026-03-20T00:00:00Z")
        #expect(
            try await pending(home.kid, home).first?["is_in_billing_retry_period"]?.string == "1")
        #expect(try await home.change("/1/add", FamilyMemberNameBody(name: "aunt")) == [0, 0])
        try await home.shop.change(first.transactionId, "recover")
        #expect(try await periods(home).count == 2)
        #expect(try await home.unfinished(home.aunt).map(\.productId) == [FamilyFixture.silver])
    }

    @Test func `an extended or shortened period changes for every member`() async throws {
        let home = try await FamilyFixture()
        try await home.family(with: "kid")
        let first = try await home.shop.buy()
        let before = try await home.updates(home.kid).receiptRevision
        try await home.shop.change(
            first.transactionId, "extend", body: ExtendSubscriptionBody(days: 10))
        #expect(try await periods(home) == ["silver 01-31 03-10"])
        #expect(try await home.updates(home.kid).receiptRevision > before)
        try await home.shop.advance(to: "2026-02-05T00:00:00Z")
        try await home.shop.change(first.transactionId, "expire")
        #expect(try await periods(home) == ["silver 01-31 02-05"])
    }

    @Test func `an iOS 6 style receipt is answered with family-shared purchases`() async throws {
        let home = try await FamilyFixture()
        try await home.family(with: "kid")
        try await home.shop.buy()
        let shared = try #require(try await home.unfinished(home.kid).first)
        let signed = await home.store.send(
            "POST", "/sandbox/device/v1/transaction-receipts", token: home.kid,
            body: try WireJSON.encode(
                TransactionReceiptsRequestBody(transactionIds: [shared.transactionId])))
        let receipts = try WireJSON.decode(
            TransactionReceiptsAnswerBody.self, from: signed.body
        ).receipts
        let receipt = Array(
            try #require(receipts.first.flatMap { Data(base64Encoded: $0.receipt) }))
        try await home.shop.advance(to: "2026-03-10T00:00:00Z")
        let answer = try await home.shop.verify(receipt)
        #expect(answer["status"]?.integer == 0)
        let newest = try #require(try await home.unfinished(home.kid).last)
        #expect(
            answer["latest_receipt_info"]?["transaction_id"]?.string == newest.transactionId)
        #expect(try await home.change("/1/remove", FamilyMemberNameBody(name: "kid")) == [0, 1])
        let left = try await home.shop.verify(receipt)
        #expect(left["status"]?.integer == 21_006)
    }
}
