import StoreModel
import StoreRules
import Testing

/// How a due payment is made, with credit and what a provider said.
struct RenewalPaymentTests {
    enum Said: Sendable {
        case nothing
        case no
        case yes(Int64)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let amount: Int64
        let credit: Int64?
        var creditCurrency = "USD"
        var said = Said.nothing
        let asksProvider: Bool
        let expected: Expected
    }

    enum Expected: Sendable {
        case pays(Int64?)
        case asks(Int64)
        case fails
    }

    static let rows: [Row] = [
        Row(
            testDescription: "test accounts pay nothing", amount: 9_990, credit: nil,
            asksProvider: true, expected: .pays(nil)),
        Row(
            testDescription: "what costs nothing is paid", amount: 0, credit: 0,
            asksProvider: false, expected: .pays(nil)),
        Row(
            testDescription: "credit pays, and nobody is asked", amount: 9_990, credit: 9_990,
            asksProvider: true, expected: .pays(nil)),
        Row(
            testDescription: "without a provider it fails", amount: 9_990, credit: 9_989,
            asksProvider: false, expected: .fails),
        Row(
            testDescription: "a provider is asked for what is lacking", amount: 9_990,
            credit: 4_990, asksProvider: true, expected: .asks(5_000)),
        Row(
            testDescription: "in whole cents", amount: 9_990, credit: 4_989,
            asksProvider: true, expected: .asks(5_010)),
        Row(
            testDescription: "for all, when credit is of another currency", amount: 9_990,
            credit: 50_000, creditCurrency: "EUR", asksProvider: true, expected: .asks(9_990)),
        Row(
            testDescription: "what was authorized is taken", amount: 9_990, credit: 4_990,
            said: .yes(5_000), asksProvider: true, expected: .pays(5_000)),
        Row(
            testDescription: "no more than is lacking by now", amount: 9_990, credit: 8_990,
            said: .yes(5_000), asksProvider: true, expected: .pays(1_000)),
        Row(
            testDescription: "nothing when credit pays by now", amount: 9_990, credit: 9_990,
            said: .yes(5_000), asksProvider: true, expected: .pays(nil)),
        Row(
            testDescription: "credit went elsewhere: all that is lacking is asked for anew",
            amount: 9_990, credit: 990, said: .yes(5_000), asksProvider: true,
            expected: .asks(9_000)),
        Row(
            testDescription: "an answer counts when there is no provider any more",
            amount: 9_990, credit: 4_990, said: .yes(5_000), asksProvider: false,
            expected: .pays(5_000)),
        Row(
            testDescription: "refused is failed", amount: 9_990, credit: 4_990, said: .no,
            asksProvider: true, expected: .fails),
        Row(
            testDescription: "refused, and credit came meanwhile", amount: 9_990, credit: 9_990,
            said: .no, asksProvider: true, expected: .pays(nil)),
    ]

    @Test(arguments: rows) func `a due renewal payment is made, requested or fails`(row: Row) throws
    {
        let dollar = try #require(Currency(code: "USD"))
        let other = try #require(Currency(code: row.creditCurrency))
        func dollars(_ milliunits: Int64) -> Money {
            Money(milliunits: milliunits, currency: dollar)
        }
        let answer: PaymentAnswer? =
            switch row.said {
            case .nothing: nil
            case .no: .refused
            case .yes(let milliunits): .authorized(Self.payment(dollars(milliunits)))
            }
        let expected: RenewalPayment =
            switch row.expected {
            case .pays(let taken): .pays(taking: taken.map(dollars))
            case .asks(let milliunits): .asks(dollars(milliunits))
            case .fails: .fails
            }
        let made = RenewalPayment.of(
            dollars(row.amount),
            credit: row.credit.map { Money(milliunits: $0, currency: other) }, answer: answer,
            asksProvider: row.asksProvider)
        #expect(made == expected)
    }

    private static func payment(_ amount: Money) -> Payment {
        Payment(
            id: PaymentID("3f1d2c0e-5f57-4a4e-9a0b-6f2c6e0f7d11"),
            purpose: .renewal(TransactionID(1)), environment: .production,
            account: AccountID(1), app: AppID(1), product: ProductID("silver"), amount: amount,
            askedAt: Timestamp(milliseconds: 0), askedReal: Timestamp(milliseconds: 0))
    }
}
