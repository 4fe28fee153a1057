import StoreWire
import Testing

@testable import PurchaseBackend

/// What is wrong with price records.
struct PriceRecordRulesTests {
    private static func price(
        _ product: String = "coins", _ storefront: String = "USA", _ currency: String = "USD",
        _ amount: Int64 = 99, _ from: Int64? = nil, _ until: Int64? = nil
    ) -> PriceRecordBody {
        PriceRecordBody(
            productId: product, storefront: storefront, currency: currency, amount: amount,
            from: from, until: until)
    }

    @Test(arguments: [
        (price("a\nb"), "productId"), (price(""), "productId"),
        (price("coins", "XXX"), "storefront"), (price("coins", "us"), "storefront"),
        (price("coins", "USA", "XTS"), "currency"), (price("coins", "USA", "usd"), "currency"),
        (price("coins", "USA", "USD", -1), "-1"),
        (price("coins", "USA", "USD", 1_000_000_001), "1000000001"),
        (price("coins", "USA", "USD", 1, 5, 5), "ends before it begins"),
        (price("coins", "USA", "USD", 1, 5, 4), "ends before it begins"),
    ])
    func `a record that cannot be right is refused with its place`(
        bad: PriceRecordBody, word: String
    ) {
        let trouble = #expect(throws: PriceRecordRules.Trouble.self) {
            try PriceRecordRules.check([Self.price("turbo"), bad])
        }
        #expect(trouble?.place == "prices[1]")
        #expect(trouble?.sentence.contains(word) == true)
    }

    @Test(
        arguments: [
            (nil, nil, nil, nil), (nil, 10, 9, nil), (5, 10, nil, nil), (5, 10, 7, 8),
            (5, 10, 5, 10),
            (7, 8, 5, 10),
        ] as [(Int64?, Int64?, Int64?, Int64?)])
    func `times that overlap are refused`(
        from: Int64?, until: Int64?, otherFrom: Int64?, otherUntil: Int64?
    ) {
        let prices = [
            Self.price("coins", "USA", "USD", 99, from, until), Self.price("coins", "DEU", "EUR"),
            Self.price("coins", "USA", "USD", 99, otherFrom, otherUntil),
        ]
        let trouble = #expect(throws: PriceRecordRules.Trouble.self) {
            try PriceRecordRules.check(prices)
        }
        #expect(trouble?.place == "prices[2]")
        #expect(trouble?.sentence.contains("overlaps prices[0]") == true)
    }

    @Test func `records that follow each other are in force one after the other`() throws {
        let prices = [
            Self.price("coins", "USA", "USD", 3, 10, nil),
            Self.price("coins", "USA", "USD", 1, nil, 5),
            Self.price("coins", "USA", "USD", 2, 5, 8),
        ]
        try PriceRecordRules.check(prices)
        let amounts = [0, 4, 5, 7, 8, 9, 10, 99].map {
            PriceRecordRules.inForce(prices, at: $0)?.amount
        }
        #expect(amounts == [1, 1, 2, 2, nil, nil, 3, 3])
    }

    @Test func `more records than are kept are refused`() {
        let prices = Array(repeating: Self.price(), count: BackendLimits.priceRecordsMax + 1)
        #expect(throws: PriceRecordRules.Trouble.self) { try PriceRecordRules.check(prices) }
    }
}
