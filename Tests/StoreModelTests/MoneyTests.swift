import Foundation
import StoreModel
import Testing

@Suite struct MoneyTests {
    @Test(
        arguments: [
            ("0.99", 990, "0.99"), ("0.0", 0, "0"), ("0", 0, "0"), ("1", 1_000, "1"),
            ("1.5", 1_500, "1.5"), ("1.50", 1_500, "1.5"), ("199.99", 199_990, "199.99"),
            ("1.999", 1_999, "1.999"), ("0.001", 1, "0.001"), ("0.010", 10, "0.01"),
            ("007", 7_000, "7"), ("1000000", 1_000_000_000, "1000000"),
            ("1000000.000", 1_000_000_000, "1000000"),
        ] as [(String, Int64, String)])
    func `a decimal is read as a price`(text: String, milliunits: Int64, shortest: String) throws {
        let price = try #require(Price(decimal: text))
        #expect(price.milliunits == milliunits)
        #expect(price.decimal == shortest)
        #expect(Price(decimal: price.decimal) == price)
    }

    @Test(arguments: [
        "", "1.9999", "-1", "-0", "+1", "1e3", "1E3", ".5", "5.", ".", "1.2.3", "1,99", " 1", "1 ",
        "0x10", "abc", "NaN", "inf", "1000000.001", "1000001", "10000000", "99999999999999999999",
        "1.-5", "1.+5", "１.５", "٣", "1.\u{301}5", "0.0000", "$1", "1\n", "1\u{0}",
        String(repeating: "9", count: 10_000),
    ])
    func `text that is not a price is refused`(text: String) {
        #expect(Price(decimal: text) == nil)
    }

    @Test func `every price is read back as written`() {
        for milliunits in Array(0...20_000) + [999_999_999, 1_000_000_000] as [Int64] {
            guard let price = Price(milliunits: milliunits),
                Price(decimal: price.decimal) == price
            else {
                Issue.record("\(milliunits) does not come back")
                return
            }
        }
    }

    @Test(arguments: [-1, .min, 1_000_000_001, .max] as [Int64])
    func `a price below zero or above the limit is refused`(milliunits: Int64) {
        #expect(Price(milliunits: milliunits) == nil)
    }

    @Test func `an amount times a count is nil when it exceeds 64 bits`() throws {
        let euro = try #require(Currency(code: "EUR"))
        let money = Money(milliunits: 990, currency: euro)
        #expect(money.times(10) == Money(milliunits: 9_900, currency: euro))
        #expect(money.times(0)?.milliunits == 0)
        #expect(Money(milliunits: .max, currency: euro).times(2) == nil)
        #expect(Money(milliunits: .min, currency: euro).times(-1) == nil)
    }

    @Test func `a price becomes money in a currency`() throws {
        let yen = try #require(Currency(code: "JPY"))
        let price = try #require(Price(decimal: "120"))
        #expect(price.in(yen) == Money(milliunits: 120_000, currency: yen))
    }

    @Test(
        arguments: [
            ("USD", 985, 980), ("USD", 995, 1_000), ("USD", 986, 990), ("USD", 990, 990),
            ("USD", 1, 10), ("JPY", 990, 1_000), ("JPY", 2_500, 2_000), ("JPY", 3_500, 4_000),
            ("JPY", 499, 1_000), ("JPY", 0, 0), ("KWD", 1_001, 1_001), ("USD", 0, 0),
        ] as [(String, Int64, Int64)])
    func `a price is rounded to its currency, and only a free one is free`(
        code: String, price: Int64, rounded: Int64
    ) throws {
        let currency = try #require(Currency(code: code))
        let money = try #require(Price(milliunits: price)).in(currency)
        #expect(money.milliunits == rounded && money.isWhole)
    }

    struct Share: Sendable {
        let code: String
        let amount: Int64
        let part: Int64
        let whole: Int64
        let expected: Int64
    }

    @Test(arguments: [
        Share(code: "USD", amount: 9_990, part: 1, whole: 2, expected: 5_000),
        Share(code: "USD", amount: 9_970, part: 1, whole: 2, expected: 4_980),
        Share(code: "USD", amount: 20_000, part: 67_705, whole: 100_000, expected: 13_540),
        Share(code: "USD", amount: 990, part: 1, whole: 100_000, expected: 0),
        Share(code: "JPY", amount: 5_000, part: 1, whole: 2, expected: 2_000),
        Share(code: "JPY", amount: 7_000, part: 1, whole: 2, expected: 4_000),
        Share(code: "KWD", amount: 1_003, part: 1, whole: 2, expected: 502),
        Share(code: "USD", amount: 990, part: 1, whole: 1, expected: 990),
        // Recorded before amounts were whole: not more than was charged.
        Share(code: "JPY", amount: 2_990, part: 99, whole: 100, expected: 2_990),
        Share(code: "USD", amount: .max, part: .max, whole: .max, expected: .max),
    ])
    func `a share is rounded once, half to even, and leaves a rest that sums to the amount`(
        share: Share
    ) throws {
        let currency = try #require(Currency(code: share.code))
        let amount = Money(milliunits: share.amount, currency: currency)
        let part = amount.share(share.part, of: share.whole)
        #expect(part.milliunits == share.expected)
        let rest = try #require(amount.subtracting(part))
        #expect(rest.adding(part) == amount)
        #expect(rest.isWhole || !amount.isWhole)
    }

    @Test(arguments: ["", "EU", "EURO", "eur", "E1R", "ÉUR", "   ", "EU\u{0}"])
    func `a currency is three capital letters`(code: String) throws {
        #expect(Currency(code: code) == nil)
        let json = try JSONEncoder().encode([code])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Currency].self, from: json)
        }
    }

    @Test func `a currency is encoded as its code`() throws {
        let json = Data(#"{"milliunits":990,"currency":"EUR"}"#.utf8)
        let money = try JSONDecoder().decode(Money.self, from: json)
        #expect(money.milliunits == 990 && money.currency.code == "EUR")
    }
}
