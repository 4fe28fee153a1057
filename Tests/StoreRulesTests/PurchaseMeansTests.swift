import StoreModel
import StoreRules
import Testing

/// What an account lacks to pay a purchase.
struct PurchaseMeansTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let credit: Int64
        var refundable: Int64?
        var givenBack: Int64?
        var backCurrency = "USD"
        let amount: Int64
        let missing: Int64?
    }

    static let rows: [Row] = [
        Row(testDescription: "as much as it costs", credit: 10, amount: 10, missing: nil),
        Row(testDescription: "one too little", credit: 9, amount: 10, missing: 1),
        Row(testDescription: "nothing for nothing", credit: 0, amount: 0, missing: nil),
        Row(
            testDescription: "what is given back pays along", credit: 4, refundable: 9,
            givenBack: 6, amount: 10, missing: nil),
        Row(
            testDescription: "no more than is left of the charge is given back", credit: 4,
            refundable: 5, givenBack: 6, amount: 10, missing: 1),
        Row(
            testDescription: "a period that was not charged gives nothing back", credit: 4,
            refundable: nil, givenBack: 6, amount: 10, missing: 6),
        Row(
            testDescription: "what is given back in another currency pays nothing", credit: 4,
            refundable: 9, givenBack: 6, backCurrency: "EUR", amount: 10, missing: 6),
        Row(
            testDescription: "more than 64 bits hold", credit: .max, refundable: .max,
            givenBack: .max, amount: .max, missing: nil),
    ]

    @Test(arguments: rows) func `an account's means cover the price or lack an amount`(row: Row)
        throws
    {
        let dollar = try #require(Currency(code: "USD"))
        let back = try #require(Currency(code: row.backCurrency))
        let means = PurchaseMeans(
            credit: Money(milliunits: row.credit, currency: dollar),
            refundable: row.refundable.map { Money(milliunits: $0, currency: back) })
        let missing = means.missing(
            for: Money(milliunits: row.amount, currency: dollar),
            givenBack: row.givenBack.map { Money(milliunits: $0, currency: back) })
        #expect(missing == row.missing.map { Money(milliunits: $0, currency: dollar) })
    }
}
