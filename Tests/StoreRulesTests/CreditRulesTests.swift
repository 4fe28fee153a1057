import StoreModel
import StoreRules
import Testing

/// Who may have how much credit, what is charged and what is given back.
struct CreditRulesTests {
    private static let now = Timestamp(seconds: 100)
    private static let buyer = AccountID(1)
    private static let most = CreditRules.amountMilliunitsMax

    private static func money(_ milliunits: Int64, _ code: String = "USD") -> Money {
        guard let currency = Currency(code: code) else { preconditionFailure("no currency") }
        return Money(milliunits: milliunits, currency: currency)
    }

    private static func request(
        _ milliunits: Int64, _ purpose: CreditRequest.Purpose = .topUp, currency: String? = nil,
        account: AccountID = buyer, storefront: Storefront = .default
    ) -> CreditRequest {
        CreditRequest(
            id: "A", purpose: purpose, account: account, environment: .production,
            storefront: storefront, milliunits: milliunits,
            currency: currency.flatMap { Currency(code: $0) })
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let request: CreditRequest
        var credit: Int64 = 0
        let expected: CreditRefusal?

        init(
            _ name: String, _ request: CreditRequest, credit: Int64 = 0,
            _ expected: CreditRefusal? = nil
        ) {
            testDescription = name
            self.request = request
            self.credit = credit
            self.expected = expected
        }
    }

    private static let wrong = CreditRequest.Purpose.correction(reason: "Wrong.")
    private static let limit = CreditRules.creditMilliunitsMax

    static let rows: [Row] = [
        Row("the least", request(1)),
        Row("the most", request(most)),
        Row("in the storefront's currency by name", request(1, currency: "USD")),
        Row("nothing", request(0, currency: "EUR"), .amountNotAllowed),
        Row("a top-up below 0", request(-1, currency: "EUR"), .amountNotAllowed),
        Row("more than the most", request(most + 1), .amountNotAllowed),
        Row("a correction of nothing", request(0, wrong), .amountNotAllowed),
        Row("more taken than the most", request(-most - 1, wrong), .amountNotAllowed),
        Row(
            "another currency, at the limit", request(1, currency: "EUR"), credit: limit,
            .otherCurrency),
        Row("a gift in another currency", request(1, wrong, currency: "EUR"), .otherCurrency),
        Row("up to the limit", request(1), credit: limit - 1),
        Row("beyond the limit", request(1), credit: limit, .creditLimit),
        Row("a refund went beyond it", request(1), credit: .max, .creditLimit),
        Row("all is taken", request(-5, wrong), credit: 5),
        Row("all of another currency is taken", request(-5, wrong, currency: "EUR"), credit: 5),
        Row("more than there is", request(-5, wrong), credit: 4, .creditTooLow),
    ]

    @Test(arguments: rows)
    func `a credit request changes the credit or is refused`(row: Row) throws {
        let decision = try CreditRules.decide(
            row.request, credit: Self.money(row.credit, row.request.amount.currency.code),
            known: nil, at: Self.now)
        if let expected = row.expected {
            #expect(decision == .refuse(expected))
        } else if case .enter(let entry) = decision {
            #expect(entry.amount == row.request.amount)
            #expect(entry.reference == .request("A"))
        } else {
            Issue.record("\(decision)")
        }
    }

    @Test func `every credit refusal has a row in its declared order`() {
        let found = Self.rows.compactMap(\.expected)
        let order = found.compactMap { CreditRefusal.allCases.firstIndex(of: $0) }
        #expect(Set(found) == Set(CreditRefusal.allCases))
        #expect(order == order.sorted())
    }

    @Test func `a repeated credit request is recognised and another under its id refused`() throws {
        let known = try LedgerEntry.topUp(
            Self.money(10), to: Self.buyer, in: .production, request: "A", at: Self.now)
        let germany = try #require(Storefront(countryCode: "DEU"))
        let taken = try LedgerEntry.correction(
            Self.money(-10), of: Self.buyer, in: .production, request: "A", reason: "Wrong.",
            at: Self.now)
        let rows: [(CreditRequest, LedgerEntry, CreditDecision)] = [
            (Self.request(10), known, .answerKnown),
            (Self.request(10, currency: "USD"), known, .answerKnown),
            // The account moved before the request came again.
            (Self.request(10, storefront: germany), known, .answerKnown),
            (Self.request(10, currency: "EUR"), known, .idReused),
            (Self.request(11), known, .idReused),
            (Self.request(10, account: AccountID(2)), known, .idReused),
            (Self.request(10, Self.wrong), known, .idReused),
            (Self.request(-10, Self.wrong), taken, .answerKnown),
            (Self.request(-10, .correction(reason: "Other.")), taken, .idReused),
            (Self.request(-10), taken, .idReused),
        ]
        for (request, known, expected) in rows {
            let decision = try CreditRules.decide(
                request, credit: Self.money(0), known: known, at: Self.now)
            #expect(decision == expected)
        }
    }

    @Test(
        arguments: [
            (0, 0, .free), (1, 1, .pay), (1, 2, .pay),
            (5, 3, .insufficientCredit(missing: money(2))),
            (.max, 0, .insufficientCredit(missing: money(.max))),
        ] as [(Int64, Int64, ChargeDecision)])
    func `a purchase is paid when the credit suffices`(
        amount: Int64, credit: Int64, expected: ChargeDecision
    ) throws {
        #expect(
            try ChargeRules.charging(Self.money(amount), credit: Self.money(credit)) == expected)
    }

    @Test func `a negative charge or one in another currency is a fault`() {
        #expect(throws: LedgerFault.wrongDirection) {
            try ChargeRules.charging(Self.money(-1), credit: Self.money(5))
        }
        #expect(throws: LedgerFault.mixedCurrencies) {
            try ChargeRules.charging(Self.money(1), credit: Self.money(5, "EUR"))
        }
    }

    @Test func `a refund never exceeds what is left of the charge`() throws {
        let charge = try LedgerEntry.charge(
            Self.money(10), to: Self.buyer, for: TransactionID(5), earnedBy: DeveloperID(1),
            in: .production, at: Self.now)
        let refund = try LedgerEntry.refund(Self.money(4), of: charge, named: "R", at: Self.now)
        let foreign = try LedgerEntry.refund(
            Self.money(4),
            of: .charge(
                Self.money(10), to: Self.buyer, for: TransactionID(6), earnedBy: DeveloperID(1),
                in: .production, at: Self.now), named: "R", at: Self.now)
        typealias Row = (
            amount: Int64?, code: String, charge: LedgerEntry?, refunded: Int64,
            known: LedgerEntry?, expected: RefundDecision
        )
        let rows: [Row] = [
            (nil, "USD", nil, 0, refund, .refuse(.nothingCharged)),
            (nil, "USD", charge, 4, refund, .answerKnown(Self.money(4))),
            (4, "USD", charge, 10, refund, .answerKnown(Self.money(4))),
            (3, "USD", charge, 4, refund, .refuse(.referenceReused)),
            (4, "EUR", charge, 4, refund, .refuse(.referenceReused)),
            (4, "USD", charge, 4, foreign, .refuse(.referenceReused)),
            (-1, "EUR", charge, 0, nil, .refuse(.otherCurrency)),
            (-1, "USD", charge, 0, nil, .refuse(.amountNotAllowed)),
            (11, "USD", charge, 0, nil, .refuse(.exceeds(left: Self.money(10)))),
            (7, "USD", charge, 4, nil, .refuse(.exceeds(left: Self.money(6)))),
            (1, "USD", charge, 10, nil, .refuse(.exceeds(left: Self.money(0)))),
            (6, "USD", charge, 4, nil, .give(Self.money(6))),
            (nil, "USD", charge, 0, nil, .give(Self.money(10))),
            (nil, "USD", charge, 4, nil, .give(Self.money(6))),
            (nil, "USD", charge, 10, nil, .nothing(Self.money(0))),
            (0, "USD", charge, 0, nil, .nothing(Self.money(0))),
        ]
        for row in rows {
            let decision = try ChargeRules.refunding(
                row.amount.map { Self.money($0, row.code) }, of: row.charge,
                refunded: row.refunded, known: row.known)
            #expect(decision == row.expected, "\(row)")
        }
    }
}
