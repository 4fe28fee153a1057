import Foundation
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Answers of `verifyReceipt` in each situation of a subscription, in both styles. What each follows
/// stands in the README beside the golden files.
struct SubscriptionGoldenTests {
    private typealias Fixture = SubscriptionFixture

    /// What happened to a subscription before somebody asks.
    struct Life: Sendable, CustomTestStringConvertible {
        let name: String
        var trial: String?
        var environment = StoreEnvironment.sandbox
        /// Whether there is a golden file of the answer to the app's receipt, and of that to its
        /// first transaction's.
        var hasUnifiedStyle = true
        var hasOldStyle = true
        var excludesOld = false
        /// Of the answer to its first transaction's receipt.
        var oldStatus: Int64 = 0
        /// After it was bought, with the number of its first transaction.
        var after: @Sendable (SubscriptionFixture, String) async throws -> Void = { _, _ in }

        var testDescription: String { name }
    }

    private static let asYouGo = """
        { "displayPrice" : "0.99", "internalID" : "1", "numberOfPeriods" : 3,
          "paymentMode" : "payAsYouGo", "subscriptionPeriod" : "P1M" }
        """
    private static let upFront = """
        { "displayPrice" : "4.99", "internalID" : "1", "numberOfPeriods" : 1,
          "paymentMode" : "payUpFront", "subscriptionPeriod" : "P6M" }
        """

    static let lives = [
        Life(name: "trial", trial: SubscriptionFixture.freeWeek),
        Life(name: "pay-as-you-go", trial: asYouGo) { store, _ in
            try await store.advance(to: "2026-05-02T00:00:00Z")
        },
        Life(name: "pay-up-front", trial: upFront),
        Life(name: "renewal-off") { store, id in try await store.change(id, "cancel") },
        Life(name: "billing-retry", oldStatus: 21006) { store, id in
            try await store.change(id, "fail-billing")
            try await store.advance(to: "2026-05-02T00:00:00Z")
        },
        Life(name: "billing-retry-renewal-off", oldStatus: 21006) { store, id in
            try await store.change(id, "fail-billing")
            try await store.advance(to: "2026-05-02T00:00:00Z")
            try await store.change(id, "cancel")
        },
        Life(name: "grace") { store, id in
            try await store.serveUnpaid(days: 3)
            try await store.change(id, "fail-billing")
            try await store.advance(to: "2026-05-02T00:00:00Z")
        },
        Life(name: "upgraded", hasUnifiedStyle: false) { store, _ in
            try await store.advance(to: "2026-04-16T00:00:00Z")
            try await store.buy(SubscriptionFixture.gold)
            try await store.buy(SubscriptionFixture.bronze)
        },
        Life(name: "downgrade-price-pending") { store, id in
            try await store.raisePrice(of: id, needsConsent: true)
            try await store.buy(SubscriptionFixture.bronze)
        },
        Life(name: "production", environment: .production) { store, _ in
            try await store.advance(to: "2026-05-02T00:00:00Z")
        },
        Life(name: "price-told") { store, id in
            try await store.raisePrice(of: id, needsConsent: false)
        },
        Life(name: "price-pending") { store, id in
            try await store.raisePrice(of: id, needsConsent: true)
        },
        Life(name: "price-agreed") { store, id in
            try await store.raisePrice(of: id, needsConsent: true)
            let agreed = try await store.store.control(
                "POST", "/control/v1/price-consents/1/agree")
            #expect(agreed.status == 200)
        },
        Life(name: "refunded", oldStatus: 21006) { store, id in
            try await store.advance(to: "2026-04-10T00:00:00Z")
            try await store.revoke(id, .issue)
        },
        Life(name: "refunded-renewal-off", oldStatus: 21006) { store, id in
            try await store.change(id, "cancel")
            try await store.advance(to: "2026-04-10T00:00:00Z")
            try await store.revoke(id, .other)
        },
        Life(name: "expired-voluntary", oldStatus: 21006) { store, id in
            try await store.change(id, "cancel")
            try await store.advance(to: "2026-05-02T00:00:00Z")
        },
        Life(name: "expired-billing", oldStatus: 21006) { store, id in
            try await store.change(id, "fail-billing")
            try await store.advance(to: "2026-08-01T00:00:00Z")
        },
        Life(name: "expired-price", oldStatus: 21006) { store, id in
            try await store.raisePrice(of: id, needsConsent: true)
            try await store.advance(to: "2026-05-02T00:00:00Z")
        },
        Life(name: "expired-unavailable", oldStatus: 21006) { store, _ in
            let removed = try await store.store.control(
                "PUT", "\(SubscriptionFixture.app)/products/\(SubscriptionFixture.silver)/state",
                body: SaleStateBody(state: .removedFromSale))
            #expect(removed.status == 200)
            try await store.advance(to: "2026-05-02T00:00:00Z")
        },
        Life(name: "resubscribed") { store, id in
            try await store.change(id, "cancel")
            try await store.advance(to: "2026-06-10T00:00:00Z")
            try await store.buy()
        },
        Life(name: "exclude-old-transactions", hasOldStyle: false, excludesOld: true) { store, _ in
            try await store.advance(to: "2026-06-02T00:00:00Z")
        },
        Life(name: "exclude-old-beside-others", hasOldStyle: false, excludesOld: true) { store, _ in
            try await store.importOthers()
            for product in [Samples.turbo, Samples.fuel, Samples.fuel, Samples.season] {
                try await store.buy(product)
            }
            try await store.advance(to: "2026-06-02T00:00:00Z")
        },
        Life(name: "several-groups", hasOldStyle: false) { store, _ in
            try await store.importFans()
            try await store.buy("com.example.rocketcar.magazine")
            try await store.advance(to: "2026-05-02T00:00:00Z")
        },
    ]

    @Test(arguments: lives)
    func `verifyReceipt answers about subscriptions match their golden files`(life: Life)
        async throws
    {
        let store = try await Fixture(
            at: "2026-04-01T00:00:00Z", trial: life.trial, in: life.environment)
        if life.environment == .production { try await store.store.topUp("100") }
        let bought = try await store.buy()
        let receipt = try await store.store.receipt(token: store.token, in: store.base)
        let own = try await store.transactionReceipt(of: bought.transactionId)
        try await life.after(store, bought.transactionId)
        if life.hasUnifiedStyle {
            let unified = try await store.verify(receipt, excludesOld: life.excludesOld)
            #expect(unified["status"]?.integer == 0)
            try Golden.check(unified.plain.xcodeBytes, "verify-subscription-\(life.name).json")
        }
        guard life.hasOldStyle else { return }
        let old = try await store.verify(own)
        #expect(old["status"]?.integer == life.oldStatus)
        #expect((old["latest_expired_receipt_info"] != nil) == (life.oldStatus == 21006))
        try Golden.check(old.plain.xcodeBytes, "verify-old-subscription-\(life.name).json")
    }
}

extension SubscriptionFixture {
    fileprivate func raisePrice(of id: String, needsConsent: Bool) async throws {
        try await change(
            id, "price-increase",
            body: IncreaseSubscriptionPriceBody(price: "12.99", needsConsent: needsConsent))
    }

    /// The catalogue of the documents, which has the same products and a second group.
    fileprivate func importFans() async throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../docs/lifecycle/fans.storekit")
        let answer = await store.send(
            "PUT", "\(Self.app)/catalog", token: TestStore.controlToken,
            body: Array(try Data(contentsOf: file)))
        #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
    }

    /// The same products, and one of each kind that does not renew.
    fileprivate func importOthers() async throws {
        func product(_ id: String, _ type: String) -> String {
            """
            { "displayPrice" : "2.99", "familyShareable" : false, "internalID" : "\(id)",
              "localizations" : [], "productID" : "\(id)", "referenceName" : "\(id)",
              "type" : "\(type)" }
            """
        }
        let once = [
            product(Samples.turbo, "NonConsumable"), product(Samples.fuel, "Consumable"),
        ]
        let season = product(Samples.season, "NonRenewingSubscription")
        let catalogue = Self.catalogue(trial: nil)
            .replacing("\"products\" : []", with: "\"products\" : [\(once.joined(separator: ","))]")
            .replacing(
                "\"nonRenewingSubscriptions\" : []",
                with: "\"nonRenewingSubscriptions\" : [\(season)]")
        let answer = await store.send(
            "PUT", "\(Self.app)/catalog", token: TestStore.controlToken,
            body: Array(catalogue.utf8))
        #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
    }

    fileprivate func serveUnpaid(days: Int) async throws {
        let set = try await store.control(
            "PUT", "\(Self.app)/grace-period", body: GracePeriodBody(days: days))
        #expect(set.status == 200)
    }

    /// The receipt of a single transaction; on the device of `token` when it is another's.
    func transactionReceipt(of id: String, token: String? = nil) async throws -> [UInt8] {
        let answer = await store.send(
            "POST", "\(base)/device/v1/transaction-receipts", token: token ?? self.token,
            body: try WireJSON.encode(TransactionReceiptsRequestBody(transactionIds: [id])))
        try #require(answer.status == 200)
        let body = try WireJSON.decode(TransactionReceiptsAnswerBody.self, from: answer.body)
        return Array(try #require(Data(base64Encoded: body.receipts[0].receipt)))
    }
}

extension JSONValue {
    /// Without what is by chance: receipts, and what names the world.
    var plain: JSONValue {
        switch self {
        case .object(let members):
            .object(
                members.map {
                    ["latest_receipt", "unique_identifier"].contains($0.key)
                        ? .init($0.key, .string("…")) : .init($0.key, $0.value.plain)
                })
        case .array(let elements): .array(elements.map(\.plain))
        default: self
        }
    }
}
