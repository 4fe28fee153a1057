import StoreModel
import StoreRules
import Testing

struct PriceRulesTests {
    /// So many seconds after the first moment that a world's clock can show.
    private static func moment(_ seconds: Int64) -> Timestamp {
        WorldClock.range.lowerBound.adding(milliseconds: seconds * 1_000)
    }

    private static func price(
        _ storefront: String, _ decimal: String?, from seconds: Int64? = nil
    ) -> DatedPrice {
        DatedPrice(
            storefront: storefront, price: decimal.flatMap { Price(decimal: $0) },
            from: seconds.map { moment($0) })
    }

    private static let prices = [
        price("DEU", "1.09"), price("DEU", "0.79", from: 100), price("JPN", "160", from: 200),
        // Added later for an earlier date: the date counts.
        price("DEU", "0.89", from: 50), price("DEU", nil, from: 300),
        price("JPN", "120", from: -62_000_000_000),
    ]

    @Test(
        arguments: [
            ("DEU", 0, 1_090, "EUR"), ("DEU", 49, 1_090, "EUR"), ("DEU", 50, 890, "EUR"),
            ("DEU", 99, 890, "EUR"), ("DEU", 100, 790, "EUR"), ("DEU", 299, 790, "EUR"),
            ("DEU", 300, 990, "EUR"), ("JPN", 199, 120_000, "JPY"), ("JPN", 200, 160_000, "JPY"),
            ("USA", 200, 990, "USD"), ("GBR", 0, 990, "GBP"),
        ] as [(String, Int64, Int64, String)])
    func `the price in force is the storefront's latest begun, else the base price`(
        country: String, seconds: Int64, milliunits: Int64, currency: String
    ) throws {
        let money = PriceRules.price(
            of: .sample(prices: Self.prices),
            in: try #require(Storefront(countryCode: country)), at: Self.moment(seconds))
        #expect(money.milliunits == milliunits)
        #expect(money.currency.code == currency)
    }

    @Test func `the prices in force leave out those that ended`() {
        let now = PriceRules.inForce(Self.prices, at: Self.moment(300))
        #expect(now.mapValues(\.decimal) == ["JPN": "160"])
    }

    @Test(
        arguments: [
            (price("DEU", "2", from: 11), .success(.new)),
            (price("DEU", "2", from: 10), .failure(.dateIsOver(now: moment(10)))),
            (price("DEU", "2", from: -5), .failure(.dateOutOfRange)),
            (price("DEU", "2", from: 4_102_444_800), .failure(.dateOutOfRange)),
            (price("DEU", "0.79", from: 100), .success(.known)),
            (price("DEU", "0.78", from: 100), .failure(.dateTaken)),
            (price("JPN", "0.78", from: 100), .success(.new)),
        ] as [(DatedPrice, Result<PriceRules.Addition, PriceRules.Refusal>)])
    func `a price is added for a free moment in the future`(
        price: DatedPrice, expected: Result<PriceRules.Addition, PriceRules.Refusal>
    ) {
        let decided = Result { () throws(PriceRules.Refusal) in
            try PriceRules.add(price, to: Self.prices, now: Self.moment(10))
        }
        #expect(decided == expected)
    }

    @Test func `the number of a product's own prices is limited`() {
        let many = (1...Int64(PriceRules.ownPricesMax)).map { Self.price("DEU", "1", from: $0) }
        #expect(throws: PriceRules.Refusal.tooMany) {
            try PriceRules.add(
                Self.price("DEU", "1", from: 5_000), to: many, now: Self.moment(0))
        }
    }

    @Test func `only a scheduled price can be cancelled`() throws {
        let now = Self.moment(100)
        try PriceRules.checkCancelling(Self.price("DEU", "1", from: 101), now: now)
        for begun in [Self.price("DEU", "1", from: 100), Self.price("DEU", "1")] {
            #expect(throws: PriceRules.Refusal.begun) {
                try PriceRules.checkCancelling(begun, now: now)
            }
        }
    }
}
