import Foundation
import StoreModel
import StoreRules
import StoreSigning
import StoreWire
import Testing

@testable import AppStoreServer

/// What `verifyReceipt` answers about subscriptions.
struct VerifySubscriptionTests {
    private typealias Fixture = SubscriptionFixture

    /// The answer without what is by chance: receipts, and what names the world.
    private func golden(_ answer: JSONValue, _ name: String) throws {
        try Golden.check(answer.plain.xcodeBytes, name)
    }

    @Test func `a renewed subscription is reported in full to a caller with the secret`()
        async throws
    {
        let store = try await Fixture(trial: Fixture.freeWeek)
        let bought = try await store.buy()
        let first = try await store.store.receipt(token: store.token)
        try await store.advance(to: "2026-03-08T00:00:00Z")
        let answer = try await store.verify(first)
        #expect(answer["status"]?.integer == 0)
        // What was sent is told as it was; the latest has what came since, newest first.
        #expect(answer["receipt"]?["in_app"]?.array?.count == 1)
        let latest = try #require(answer["latest_receipt_info"]?.array)
        #expect(latest.count == 3)
        #expect(latest.last?["transaction_id"]?.string == bought.transactionId)
        #expect(latest.last?["is_trial_period"]?.string == "true")
        #expect(latest.first?["is_trial_period"]?.string == "false")
        #expect(
            Set(latest.compactMap { $0["original_transaction_id"]?.string })
                == [bought.transactionId])
        let lines = latest.compactMap { $0["web_order_line_item_id"]?.string.flatMap { Int64($0) } }
        #expect(Set(lines).count == latest.count)
        #expect(lines == lines.sorted(by: >), "order lines grow with the periods")
        #expect(lines.allSatisfy { (1..<1 << 53).contains($0) })
        let newest = try #require(answer["latest_receipt"]?.string)
        let again = try await store.verify(Array(try #require(Data(base64Encoded: newest))))
        #expect(again["receipt"]?["in_app"]?.array?.count == 3)
        #expect(again["latest_receipt"]?.string == newest, "it is the newest itself")
        let short = try await store.verify(first, excludesOld: true)
        #expect(short["latest_receipt_info"]?.array?.count == 1)
        #expect(
            short["latest_receipt_info"]?.array?.first?["transaction_id"]
                == latest.first?["transaction_id"])
        try golden(answer, "verify-subscription-renewed.json")
    }

    /// Golden files are sorted; what is sent is not.
    @Test func `the keys of an answer come in Apple's order`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let bought = try await store.buy()
        func keys(_ value: JSONValue?) throws -> [String] {
            guard case .object(let members)? = value else { return [] }
            return members.map(\.key)
        }
        let unified = try await store.verify(
            try await store.store.receipt(token: store.token))
        #expect(
            try keys(unified) == [
                "status", "environment", "receipt", "latest_receipt_info", "latest_receipt",
                "pending_renewal_info",
            ])
        let period = [
            "quantity", "product_id", "transaction_id", "original_transaction_id",
            "purchase_date", "purchase_date_ms", "purchase_date_pst", "original_purchase_date",
            "original_purchase_date_ms", "original_purchase_date_pst", "expires_date",
            "expires_date_ms", "expires_date_pst", "web_order_line_item_id", "is_trial_period",
            "is_in_intro_offer_period", "in_app_ownership_type",
        ]
        #expect(try keys(unified["receipt"]?["in_app"]?.array?.first) == period)
        #expect(
            try keys(unified["latest_receipt_info"]?.array?.first)
                == period + ["subscription_group_identifier"])
        #expect(
            try keys(unified["pending_renewal_info"]?.array?.first) == [
                "auto_renew_product_id", "product_id", "original_transaction_id",
                "auto_renew_status",
            ])
        let old = try await store.verify(
            try await store.transactionReceipt(of: bought.transactionId))
        #expect(
            try keys(old) == [
                "auto_renew_product_id", "auto_renew_status", "latest_receipt",
                "latest_receipt_info", "receipt", "status",
            ])
    }

    @Test(arguments: ["", "0123456789abcdef0123456789abcdef"])
    func `a caller without the secret learns nothing about the subscription`(password: String)
        async throws
    {
        let store = try await Fixture()
        try await store.buy()
        let receipt = try await store.store.receipt(token: store.token)
        let answer = try await store.verify(receipt, with: password)
        #expect(answer.compactBytes == Array(#"{"status":21004}"#.utf8))
    }

    @Test func `a failed renewal shows as billing retry`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        _ = try await store.store.control(
            "PUT", "\(Fixture.app)/grace-period", body: GracePeriodBody(days: 3))
        let bought = try await store.buy()
        try await store.change(bought.transactionId, "fail-billing")
        let receipt = try await store.store.receipt(token: store.token)
        func renewal() async throws -> JSONValue {
            let answer = try await store.verify(receipt)
            #expect(answer["status"]?.integer == 0)
            return try #require(answer["pending_renewal_info"]?.array?.first)
        }
        let active = try await renewal()
        #expect(active["auto_renew_status"]?.string == "1")
        #expect(active["expiration_intent"] == nil && active["is_in_billing_retry_period"] == nil)
        try await store.advance(to: "2026-05-02T00:00:00Z")
        let grace = try await renewal()
        #expect(grace["is_in_billing_retry_period"]?.string == "1")
        #expect(grace["expiration_intent"]?.string == "2")
        #expect(grace["grace_period_expires_date"]?.string == "2026-05-04 00:00:00 Etc/GMT")
        try await store.advance(to: "2026-05-20T00:00:00Z")
        let retry = try await renewal()
        #expect(retry["is_in_billing_retry_period"]?.string == "1")
        #expect(retry["grace_period_expires_date"] == nil)
        try await store.advance(to: "2026-08-01T00:00:00Z")
        let over = try await renewal()
        #expect(over["is_in_billing_retry_period"]?.string == "0")
        #expect(over["expiration_intent"]?.string == "2")
        #expect(over["auto_renew_status"]?.string == "0")
    }

    @Test func `an upgrade marks the period it replaced`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        try await store.buy()
        try await store.advance(to: "2026-04-16T00:00:00Z")
        try await store.buy(Fixture.gold)
        try await store.buy(Fixture.bronze)
        let answer = try await store.verify(
            try await store.store.receipt(token: store.token))
        let latest = try #require(answer["latest_receipt_info"]?.array)
        #expect(latest.map { $0["is_upgraded"]?.string } == [nil, "true"])
        #expect(latest.last?["cancellation_date"]?.string == "2026-04-16 00:00:00 Etc/GMT")
        #expect(latest.last?["cancellation_reason"] == nil)
        let renewal = answer["pending_renewal_info"]?.array?.first
        #expect(renewal?["auto_renew_product_id"]?.string == Fixture.bronze)
        #expect(renewal?["product_id"]?.string == Fixture.gold)
        try golden(answer, "verify-subscription-upgraded.json")
    }

    @Test func `price consent and a price increase each have a status`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let bought = try await store.buy()
        let receipt = try await store.store.receipt(token: store.token)
        try await store.change(
            bought.transactionId, "price-increase",
            body: IncreaseSubscriptionPriceBody(price: "12.99", needsConsent: true))
        func statuses() async throws -> [String?] {
            let renewal = try await store.verify(receipt)["pending_renewal_info"]?.array?.first
            return [
                renewal?["price_consent_status"]?.string, renewal?["price_increase_status"]?.string,
            ]
        }
        #expect(try await statuses() == ["0", "0"])
        _ = await store.store.send(
            "POST", "/sandbox/device/v1/price-consents/1/agree", token: store.token)
        #expect(try await statuses() == ["1", "1"])
    }

    @Test func `a receipt with a thousand renewals is answered`() async throws {
        let store = try await Fixture(pace: .oneRenewalEveryTwoSeconds)
        try await store.buy()
        let receipt = try await store.store.receipt(token: store.token)
        let advance = try await store.advance(to: "2026-01-31T10:33:21Z")
        #expect(advance.renewals == 1_000)
        let answer = try await store.verify(receipt)
        #expect(answer["latest_receipt_info"]?.array?.count == 1_001)
        let newest = try #require(answer["latest_receipt"]?.string)
        let whole = try await store.verify(Array(try #require(Data(base64Encoded: newest))))
        #expect(whole["receipt"]?["in_app"]?.array?.count == 1_001)
    }

    @Test func `an injected fault lasts for its number of requests and says whether to retry`()
        async throws
    {
        let store = try await Fixture()
        try await store.buy()
        let receipt = try await store.store.receipt(token: store.token)
        func set(_ fault: ReceiptFaultBody?) async throws -> Int {
            try await store.store.control(
                "PUT", "/control/v1/faults", body: FaultsBody(verifyReceipt: fault)
            ).status
        }
        #expect(
            try await set(ReceiptFaultBody(status: 21005, isRetryable: nil, count: 2)) == 200)
        for status in [21005, 21005, 0] {
            #expect(try await store.verify(receipt)["status"]?.integer == Int64(status))
        }
        #expect(
            try await set(ReceiptFaultBody(status: 21150, isRetryable: false, count: nil)) == 200)
        #expect(
            try await store.verify(receipt).compactBytes
                == Array(#"{"status":21150,"is-retryable":false}"#.utf8))
        #expect(try await set(nil) == 200)
        #expect(try await store.verify(receipt)["status"]?.integer == 0)
        for bad in [
            ReceiptFaultBody(status: 21004, isRetryable: nil, count: nil),
            ReceiptFaultBody(status: 21005, isRetryable: true, count: nil),
            ReceiptFaultBody(status: 21005, isRetryable: nil, count: 0),
        ] {
            #expect(try await set(bad) == 422)
        }
    }
}
