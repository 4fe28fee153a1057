import StoreModel
import StoreRules
import Testing

/// What is an entry of a ledger, and what is none.
struct LedgerEntryTests {
    private static let now = Timestamp(seconds: 100)
    private static let customer = LedgerAccount.customer(AccountID(1))
    private static let developer = LedgerAccount.developer(DeveloperID(1))

    private static func money(_ milliunits: Int64, _ code: String = "USD") throws -> Money {
        Money(milliunits: milliunits, currency: try #require(Currency(code: code)))
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let kind: LedgerEntryKind
        let transaction: TransactionID?
        let postings: [(LedgerAccount, Int64, String)]
        let expected: LedgerFault?

        init(
            _ name: String, _ kind: LedgerEntryKind, transaction: TransactionID? = nil,
            _ postings: [(LedgerAccount, Int64, String)], _ expected: LedgerFault?
        ) {
            testDescription = name
            self.kind = kind
            self.transaction = transaction
            self.postings = postings
            self.expected = expected
        }
    }

    /// Faults in their order, each with one after it where that can be.
    static let rows: [Row] = [
        Row("a top-up", .topUp, [(customer, 10, "USD"), (.funding, -10, "USD")], nil),
        Row("one posting", .topUp, [(customer, 10, "USD")], .fewerThanTwoPostings),
        Row("none", .topUp, [], .fewerThanTwoPostings),
        Row(
            "nothing moves, in two currencies", .topUp,
            [(customer, 0, "USD"), (.funding, 0, "EUR")],
            .emptyPosting),
        Row(
            "two currencies", .topUp, [(customer, 10, "USD"), (customer, -10, "EUR")],
            .mixedCurrencies),
        Row(
            "an account twice", .topUp, [(.funding, 10, "USD"), (.funding, -10, "USD")],
            .accountTwice),
        Row(
            "no customer", .topUp, [(developer, 10, "USD"), (.funding, -10, "USD")], .notOneCustomer
        ),
        Row(
            "two customers", .topUp,
            [(customer, 10, "USD"), (.customer(AccountID(2)), -10, "USD")], .notOneCustomer),
        Row(
            "a charge to funding", .charge, [(customer, 10, "USD"), (.funding, -10, "USD")],
            .wrongAccount),
        Row(
            "a top-up from the developer", .topUp,
            [(customer, 10, "USD"), (developer, -10, "USD")],
            .wrongAccount),
        Row(
            "a gift code that takes", .giftCode,
            [(customer, -10, "USD"), (.giftCodes, 9, "USD")], .wrongDirection),
        Row(
            "a charge that gives", .charge, [(customer, 10, "USD"), (developer, -10, "USD")],
            .wrongDirection),
        Row(
            "a refund that takes", .refund, transaction: TransactionID(5),
            [(customer, -10, "USD"), (developer, 10, "USD")], .wrongDirection),
        Row(
            "a charge of no transaction", .charge,
            [(customer, -10, "USD"), (developer, 9, "USD")], .wrongTransaction),
        Row(
            "a top-up of a transaction", .topUp, transaction: TransactionID(5),
            [(customer, 10, "USD"), (.funding, -9, "USD")], .wrongTransaction),
        Row(
            "a thousandth is lost", .topUp, [(customer, 10, "USD"), (.funding, -9, "USD")],
            .unbalanced),
        Row(
            "a sum beyond 64 bits", .charge, transaction: TransactionID(5),
            [
                (customer, -10, "USD"), (developer, .max, "USD"),
                (.developer(DeveloperID(2)), 11, "USD"),
            ], .overflow),
        Row(
            "a charge that two developers share", .charge, transaction: TransactionID(5),
            [
                (customer, -10, "USD"), (developer, 7, "USD"),
                (.developer(DeveloperID(2)), 3, "USD"),
            ], nil),
        Row(
            "a correction takes", .correction, [(customer, -10, "USD"), (.funding, 10, "USD")],
            nil),
    ]

    @Test(arguments: rows)
    func `postings form an entry or name a fault`(row: Row) throws {
        let postings = try row.postings.map { LedgerPosting($0.0, try Self.money($0.1, $0.2)) }
        var found: LedgerFault?
        do throws(LedgerFault) {
            let entry = try LedgerEntry(
                row.kind, in: .production, at: Self.now, reference: .request("A"),
                transaction: row.transaction, postings: postings)
            #expect(entry.customer == AccountID(1))
            #expect(entry.amount == postings[0].amount)
        } catch { found = error }
        #expect(found == row.expected)
    }

    @Test func `every fault of a ledger entry has a row`() {
        let faults = Self.rows.compactMap(\.expected)
        #expect(Set(faults).union([.enteredOtherwise]) == Set(LedgerFault.allCases))
    }

    @Test func `each kind of entry moves money between a customer and its counterpart`() throws {
        let buyer = AccountID(1)
        let ten = try Self.money(10)
        let charge = try LedgerEntry.charge(
            ten, to: buyer, for: TransactionID(5), earnedBy: DeveloperID(3), in: .production,
            at: Self.now)
        let payment = Payment(
            id: PaymentID("P"), purpose: .purchase(waiting: 1), environment: .production,
            account: buyer, app: AppID(1), product: ProductID("fuel"), amount: ten,
            askedAt: Self.now, askedReal: Self.now)
        let refund = PaymentRefund(
            id: PaymentRefundID("Q"), payment: payment.id, amount: try Self.money(2))
        let entries = [
            try LedgerEntry.topUp(ten, to: buyer, in: .sandbox, request: "A", at: Self.now),
            try .giftCode(GiftCodeNumber(2), ten, to: buyer, in: .sandbox, at: Self.now), charge,
            try .refund(try Self.money(4), of: charge, named: "R", at: Self.now),
            try .correction(
                try Self.money(-3), of: buyer, in: .sandbox, request: "B", reason: "Twice.",
                at: Self.now),
            try .payment(payment, try Self.money(7), at: Self.now),
            try .payout(refund, of: payment, at: Self.now),
            try .returned(refund, of: payment, at: Self.now),
        ]
        #expect(entries.map(\.kind) == LedgerEntryKind.allCases + [.payment])
        #expect(entries.map(\.amount.milliunits) == [10, 10, -10, 4, -3, 7, -2, 2])
        #expect(
            entries.map(\.reference.text)
                == [
                    "request/A", "giftCode/2", "charge/5", "refund/R", "request/B", "payment/P",
                    "payout/Q", "returned/Q",
                ])
        #expect(
            entries.map { $0.postings.last?.account } == [
                .funding, .giftCodes, .developer(DeveloperID(3)), .developer(DeveloperID(3)),
                .funding, .provider, .provider, .provider,
            ])
        #expect(entries[3].environment == .production && entries[3].transaction?.rawValue == 5)
        for entry in entries {
            #expect(entry.postings.map(\.amount.milliunits).reduce(0, +) == 0)
        }
    }

    @Test func `amounts without an opposite are refused`() throws {
        let least = try Self.money(.min)
        #expect(throws: LedgerFault.overflow) {
            try LedgerEntry.topUp(
                least, to: AccountID(1), in: .sandbox, request: "A", at: Self.now)
        }
        #expect(throws: LedgerFault.overflow) {
            try LedgerEntry.charge(
                least, to: AccountID(1), for: TransactionID(1), earnedBy: DeveloperID(1),
                in: .sandbox, at: Self.now)
        }
    }

    @Test func `a ledger account is its kind and its row`() {
        for account in [Self.customer, Self.developer, .giftCodes, .funding] {
            #expect(LedgerAccount(account.kind, row: account.row) == account)
        }
    }
}
