import StoreWire
import Testing

@testable import PurchaseBackend

/// What becomes of each sale in a report.
struct ReconciliationTests {
    private typealias Line = ReconciliationBody.Line
    private typealias Tally = ReconciliationBody.Tally

    /// In May 2024.
    private static let may: Int64 = 1_714_558_830_000

    private static func sale(
        _ id: String = "1", of original: String? = nil, product: String = "coins",
        kind: String = "consumable", charged: Int64 = 990, refunded: Int64 = 0,
        quantity: Int = 1, at time: Int64 = may, currency: String = "USD",
        storefront: String = "USA", environment: String = "Production", offer: String? = nil,
        isShared: Bool = false
    ) -> SoldTransactionBody {
        SoldTransactionBody(
            transactionId: id, originalTransactionId: original ?? id, environment: environment,
            bundleId: "b", productId: product, kind: kind, quantity: quantity, purchasedAt: time,
            storefront: storefront, currency: currency, priceMilliunits: charged,
            chargedMilliunits: charged, refundedMilliunits: refunded, offer: offer,
            isShared: isShared)
    }

    private static func delivery(
        _ id: String = "1", of original: String? = nil, kind: String = "consumable",
        environment: String = "Production"
    ) -> DeliveryBody {
        DeliveryBody(
            environment: environment, transactionId: id, originalTransactionId: original ?? id,
            productId: "coins", kind: kind, grantedAt: 1)
    }

    private static let cents = PriceRecordBody(
        productId: "coins", storefront: "USA", currency: "USD", amount: 99)

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sale: SoldTransactionBody
        let outcome: String
        var delivered = [delivery()]
        var prices = [cents]
    }

    static let rows = [
        Row(testDescription: "as recorded", sale: sale(), outcome: "sold"),
        Row(
            testDescription: "three of it", sale: sale(charged: 2_970, quantity: 3),
            outcome: "sold"),
        Row(testDescription: "a cent less", sale: sale(charged: 980), outcome: "differs"),
        Row(testDescription: "nothing charged", sale: sale(charged: 0), outcome: "differs"),
        Row(
            testDescription: "an offer at a lower price",
            sale: sale(charged: 490, offer: "promotional"),
            outcome: "differs"),
        Row(
            testDescription: "a free trial", sale: sale(charged: 0, offer: "introductory"),
            outcome: "free"),
        Row(
            testDescription: "in the sandbox", sale: sale(charged: 0, environment: "Sandbox"),
            outcome: "free", delivered: [delivery(environment: "Sandbox")]),
        Row(
            testDescription: "a family member's", sale: sale(charged: 0, isShared: true),
            outcome: "free"),
        Row(
            testDescription: "owned before",
            sale: sale("2", of: "1", kind: "nonConsumable", charged: 0), outcome: "free",
            delivered: [delivery(kind: "nonConsumable")]),
        Row(
            testDescription: "a free product", sale: sale(charged: 0), outcome: "free",
            prices: [
                PriceRecordBody(productId: "coins", storefront: "USA", currency: "USD", amount: 0)
            ]),
        Row(
            testDescription: "a later period", sale: sale("9", of: "1", kind: "autoRenewable"),
            outcome: "sold", delivered: [delivery(kind: "autoRenewable")]),
        Row(testDescription: "not delivered", sale: sale("2"), outcome: "unknown"),
        Row(
            testDescription: "another consumable of the same number in the sandbox", sale: sale(),
            outcome: "unknown", delivered: [delivery(environment: "Sandbox")]),
        Row(testDescription: "without a record", sale: sale(), outcome: "unknown", prices: []),
        Row(
            testDescription: "in another storefront", sale: sale(storefront: "DEU"),
            outcome: "unknown"),
        Row(
            testDescription: "in another currency", sale: sale(currency: "EUR"),
            outcome: "unknown"),
        Row(
            testDescription: "after the record's time", sale: sale(), outcome: "unknown",
            prices: [
                PriceRecordBody(
                    productId: "coins", storefront: "USA", currency: "USD", amount: 99,
                    until: may)
            ]),
        Row(
            testDescription: "in yen",
            sale: sale(charged: 99_000, currency: "JPY", storefront: "JPN"),
            outcome: "sold",
            prices: [
                PriceRecordBody(productId: "coins", storefront: "JPN", currency: "JPY", amount: 99)
            ]),
    ]

    @Test(arguments: rows)
    func `a sale is counted once, by what it was charged`(row: Row) throws {
        let report = Reconciliation.report(
            [row.sale], delivered: row.delivered, prices: row.prices)
        let line = try #require(report.lines.first)
        #expect(report.lines.count == 1)
        #expect(line.month == "2024-05")
        let tallies = [
            ("sold", line.sold), ("free", line.free), ("differs", line.differs),
            ("unknown", line.unknown),
        ]
        for (name, tally) in tallies {
            #expect(
                tally
                    == (name == row.outcome
                        ? Tally(count: 1, milliunits: row.sale.chargedMilliunits) : Tally()),
                "\(name)")
        }
        #expect((report.differences.count == 1) == (row.outcome == "differs"))
        #expect(line.netMilliunits == row.sale.chargedMilliunits)
    }

    @Test func `lines are by product, currency and month, and their sum is what was charged`() {
        let june = Self.may + 31 * 86_400_000
        let sales = [
            Self.sale("1"), Self.sale("2", refunded: 990), Self.sale("3", at: june),
            Self.sale("4", charged: 500, refunded: 13),
            Self.sale("5", product: "turbo", charged: 2_990),
            Self.sale("6", charged: 1_090, currency: "EUR", storefront: "DEU"),
        ]
        let report = Reconciliation.report(
            sales, delivered: (1...6).map { Self.delivery("\($0)") } + [Self.delivery("7")],
            prices: [Self.cents])
        #expect(
            report.lines.map { "\($0.productId) \($0.currency) \($0.month) \($0.netMilliunits)" }
                == [
                    "coins EUR 2024-05 1090", "coins USD 2024-05 1477", "coins USD 2024-06 990",
                    "turbo USD 2024-05 2990",
                ])
        #expect(
            report.totals == [
                .init(currency: "EUR", chargedMilliunits: 1_090, refundedMilliunits: 0),
                .init(currency: "USD", chargedMilliunits: 6_460, refundedMilliunits: 1_003),
            ])
        #expect(report.lines[1].refunded == Tally(count: 2, milliunits: 1_003))
        #expect(report.notPriced == ["5", "6"])
        #expect(report.notExported == ["7"])
        #expect(report.differences.map(\.transactionId) == ["4"])
    }
}
