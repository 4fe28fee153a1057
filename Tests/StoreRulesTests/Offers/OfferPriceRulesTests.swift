import StoreModel
import StoreRules
import Testing

struct OfferPriceRulesTests {
    struct Row: Sendable {
        let mode: SubscriptionOffer.PaymentMode
        let span: String
        let count: Int
        let offered: String
        let price: String
        let period: RenewalPeriod
        let isLower: Bool

        init(
            _ mode: SubscriptionOffer.PaymentMode, _ count: Int, _ span: String, at offered: String,
            besides price: String, _ period: RenewalPeriod, _ isLower: Bool
        ) {
            self.mode = mode
            self.span = span
            self.count = count
            self.offered = offered
            self.price = price
            self.period = period
            self.isLower = isLower
        }
    }

    @Test(arguments: [
        Row(.freeTrial, 1, "P1W", at: "0", besides: "0", .month, true),
        Row(.payAsYouGo, 3, "P1M", at: "4.98", besides: "4.99", .month, true),
        Row(.payAsYouGo, 3, "P1M", at: "4.99", besides: "4.99", .month, false),
        Row(.payAsYouGo, 3, "P1M", at: "5", besides: "4.99", .month, false),
        Row(.payAsYouGo, 1, "P1M", at: "0", besides: "0", .month, false),
        Row(.payUpFront, 1, "P6M", at: "29.93", besides: "4.99", .month, true),
        Row(.payUpFront, 1, "P6M", at: "29.94", besides: "4.99", .month, false),
        Row(.payUpFront, 6, "P1M", at: "29.93", besides: "4.99", .month, true),
        Row(.payUpFront, 6, "P1M", at: "29.94", besides: "4.99", .month, false),
        Row(.payUpFront, 1, "P1Y", at: "9.98", besides: "4.99", .sixMonths, false),
        Row(.payUpFront, 1, "P1M", at: "4.15", besides: "49.99", .year, true),
        Row(.payUpFront, 1, "P1M", at: "4.17", besides: "49.99", .year, false),
        Row(.payUpFront, 1, "P1M", at: "4.24", besides: "0.99", .week, true),
        Row(.payUpFront, 1, "P1M", at: "4.25", besides: "0.99", .week, false),
        Row(.payUpFront, 1, "P2W", at: "1.97", besides: "0.99", .week, true),
        Row(.payUpFront, 1, "P2W", at: "1.98", besides: "0.99", .week, false),
        Row(.payUpFront, 12, "P1Y", at: "1000000", besides: "1000000", .week, true),
    ])
    func `an offer must cost less than its periods do`(row: Row) throws {
        let offer = SubscriptionOffer(
            kind: .promotional, id: "spring", mode: row.mode,
            span: try #require(CalendarSpan(iso8601: row.span)), periodCount: row.count,
            price: try #require(Price(decimal: row.offered)))
        let currency = try #require(Currency(code: "EUR"))
        let price = try #require(Price(decimal: row.price)).in(currency)
        #expect(OfferPriceRules.isLower(offer, than: price, each: row.period) == row.isLower)
    }
}
