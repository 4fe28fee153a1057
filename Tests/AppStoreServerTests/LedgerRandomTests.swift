import Foundation
import StoreDatabase
import StoreModel
import StoreRules
import Testing

@testable import AppStoreServer

/// Thousands of things that happen to credit, from a seed, and books that are kept apart from the
/// store's: each outcome must be the one that they foresee, and both must agree in the end.
struct LedgerRandomTests {
    private static let operations = 3_000
    private static let accounts = 6

    @Test(arguments: [1, 2, 3])
    func `the ledger agrees with independently kept books`(seed: UInt64) throws {
        let books = try LedgerFixture()
        var run = try Run(books: books, chance: Chance(state: seed))
        for step in 0..<Self.operations {
            try run.step()
            if step.isMultiple(of: 1_000) { try run.compare() }
        }
        try run.compare()
        #expect(books.finding().state == .good, "\(books.finding().finding)")
        #expect(run.seen.count == Run.Seen.allCases.count, "seed \(seed) met only \(run.seen)")
    }

    /// What the store is asked, and other books of it: plain numbers, no rule of the store's.
    struct Run {
        enum Seen: CaseIterable {
            case toppedUp, corrected, taken, tooLow, repeated, reused, otherCurrency
            case charged, free, insufficient, refunded, refundedAll, nothingLeft, exceeded
            case redeemed, redeemedTwice, redeemedByOther, expired, voided
        }

        struct Sale {
            let buyer: Int
            let price: Int64
            let currency: Currency
            var refunded: Int64 = 0
        }

        struct Code {
            let row: GiftCodeNumber
            let worth: Int64
            let currency: Currency
            let expires: Int64?
            var isVoided = false
            var owner: Int?
        }

        let books: LedgerFixture
        var chance: Chance
        let people: [Account]
        var now: Int64 = 1_000
        var seen: Set<Seen> = []

        var have: [Int: Int64] = [:]
        var earned: [String: Int64] = [:]
        var entries = 0
        var requests: [(request: CreditRequest, buyer: Int)] = []
        var sales: [Int64: Sale] = [:]
        var refunds: [(name: String, sale: Int64, amount: Int64)] = []
        var codes: [Code] = []

        init(books: LedgerFixture, chance: Chance) throws {
            self.books = books
            self.chance = chance
            let places = try ["USA", "DEU", "JPN"].map {
                try #require(Storefront(countryCode: $0))
            }
            people = try (0..<LedgerRandomTests.accounts).map { index in
                try books.account(
                    "person-\(index)", in: index < 5 ? .production : .sandbox,
                    places[index % places.count])
            }
        }

        private var time: Timestamp { Timestamp(seconds: now) }

        private mutating func pick(_ count: Int) -> Int { Int(chance.next() % UInt64(count)) }

        mutating func step() throws {
            now += Int64(pick(3))
            switch pick(10) {
            case 0, 1: try request()
            case 2: try repeatRequest()
            case 3, 4, 5: try charge()
            case 6, 7: try refund()
            case 8: try redeem()
            default: try makeOrVoid()
            }
        }

        // MARK: - Top-ups and corrections

        private mutating func request() throws {
            let buyer = pick(people.count)
            let isTopUp = pick(3) > 0
            let size = Int64(pick(20_000) + 1)
            let milliunits = isTopUp || pick(2) == 0 ? size : -size
            let isForeign = pick(10) == 0
            let request = CreditRequest(
                id: "request-\(requests.count)",
                purpose: isTopUp ? .topUp : .correction(reason: "It was wrong."),
                account: people[buyer].id, environment: people[buyer].environment,
                storefront: people[buyer].storefront, milliunits: milliunits,
                currency: isForeign ? Currency(code: "XXX") : nil)
            let outcome = try ask(request)
            if milliunits > 0, isForeign {
                try expect(outcome, .otherCurrency, .otherCurrency)
            } else if milliunits < 0, isForeign || have[buyer, default: 0] < size {
                try expect(outcome, .creditTooLow, .tooLow)
            } else {
                entries += 1
                have[buyer, default: 0] += milliunits
                guard case .entered(let number, isNew: true) = outcome else {
                    throw Surprise("\(request): \(outcome)")
                }
                #expect(number.rawValue == Int64(entries))
                requests.append((request, buyer))
                seen.insert(isTopUp ? .toppedUp : milliunits > 0 ? .corrected : .taken)
            }
        }

        private mutating func repeatRequest() throws {
            guard !requests.isEmpty else { return }
            let known = requests[pick(requests.count)].request
            let isSame = pick(2) == 0
            let request = CreditRequest(
                id: known.id, purpose: known.purpose, account: known.account,
                environment: known.environment, storefront: known.storefront,
                milliunits: isSame ? known.milliunits : known.milliunits + 1,
                currency: known.currency)
            switch try ask(request) {
            case .entered(_, isNew: false) where isSame: seen.insert(.repeated)
            case .idReused where !isSame: seen.insert(.reused)
            case let outcome: throw Surprise("again \(request): \(outcome)")
            }
        }

        private func ask(_ request: CreditRequest) throws -> CreditOutcome {
            let time = time
            return try books.database.write { try $0.change(request, at: time) }
        }

        private mutating func expect(
            _ outcome: CreditOutcome, _ refusal: CreditRefusal, _ what: Seen
        ) throws {
            guard case .refused(refusal) = outcome else { throw Surprise("\(outcome)") }
            seen.insert(what)
        }

        // MARK: - Charges and refunds

        private mutating func charge() throws {
            let buyer = pick(people.count)
            let price = pick(8) == 0 ? 0 : Int64(pick(15_000) + 1)
            let number = Int64(sales.count + 1)
            let currency = people[buyer].storefront.currency
            let outcome = try books.charge(price, to: people[buyer], for: number)
            let left = have[buyer, default: 0] - price
            if price == 0 {
                #expect(outcome == .charged(nil))
                seen.insert(.free)
            } else if left < 0 {
                let missing = Money(milliunits: -left, currency: currency)
                #expect(outcome == .insufficientCredit(missing: missing))
                seen.insert(.insufficient)
                return
            } else {
                entries += 1
                have[buyer] = left
                earned[currency.code, default: 0] += price
                #expect(outcome == .charged(LedgerEntryNumber(Int64(entries))))
                #expect(try books.charge(price, to: people[buyer], for: number) == outcome)
                seen.insert(.charged)
            }
            sales[number] = Sale(buyer: buyer, price: price, currency: currency)
        }

        private mutating func refund() throws {
            guard !sales.isEmpty else { return }
            let number = Int64(pick(sales.count) + 1)
            guard let sale = sales[number] else { throw Surprise("no sale \(number)") }
            if !refunds.isEmpty, pick(4) == 0 { return try repeatRefund() }
            let left = sale.price - sale.refunded
            let wish: Int64? = pick(3) == 0 ? nil : Int64(pick(Int(sale.price) + 2))
            let name = "refund-\(refunds.count)"
            let outcome = try books.refund(wish, of: number, name, currency: sale.currency)
            let amount = wish ?? left
            if sale.price == 0 {
                #expect(outcome == .refused(.nothingCharged))
            } else if amount > left {
                let money = Money(milliunits: left, currency: sale.currency)
                #expect(outcome == .refused(.exceeds(left: money)))
                seen.insert(.exceeded)
            } else {
                let money = Money(milliunits: amount, currency: sale.currency)
                if amount > 0 {
                    entries += 1
                    refunds.append((name, number, amount))
                    #expect(outcome == .refunded(money, LedgerEntryNumber(Int64(entries))))
                } else {
                    #expect(outcome == .refunded(money, nil))
                }
                sales[number]?.refunded += amount
                have[sale.buyer, default: 0] += amount
                earned[sale.currency.code, default: 0] -= amount
                seen.insert(amount == 0 ? .nothingLeft : amount == left ? .refundedAll : .refunded)
            }
        }

        private mutating func repeatRefund() throws {
            let known = refunds[pick(refunds.count)]
            guard let sale = sales[known.sale] else { throw Surprise("no sale") }
            let isSame = pick(2) == 0
            let outcome = try books.refund(
                known.amount + (isSame ? 0 : 1), of: known.sale, known.name,
                currency: sale.currency)
            guard isSame else {
                #expect(outcome == .refused(.referenceReused))
                return
            }
            guard case .refunded(let money, .some) = outcome else {
                throw Surprise("\(known): \(outcome)")
            }
            #expect(money.milliunits == known.amount)
        }

        // MARK: - Gift codes

        private mutating func makeOrVoid() throws {
            if !codes.isEmpty, pick(4) == 0 {
                let index = pick(codes.count)
                let (number, time) = (codes[index].row, time)
                try books.database.write { try $0.voidGiftCode(number, at: time) }
                if codes[index].owner == nil { codes[index].isVoided = true }
                return
            }
            let worth = Int64(pick(9_000) + 1)
            let currency = people[pick(3)].storefront.currency
            let expires = pick(2) == 0 ? nil : now + Int64(pick(500))
            let (digest, time) = ([UInt8]("code-\(codes.count)".utf8), time)
            let number = try books.database.write { scope in
                try scope.addGiftCode(
                    digest: digest, worth: Money(milliunits: worth, currency: currency),
                    in: .production, expiresAt: expires.map { Timestamp(seconds: $0) }, now: time)
            }
            codes.append(Code(row: number, worth: worth, currency: currency, expires: expires))
        }

        private mutating func redeem() throws {
            guard !codes.isEmpty else { return }
            let (index, buyer) = (pick(codes.count), pick(5))
            let (code, account, time) = (codes[index], people[buyer], time)
            let outcome = try books.database.write { scope in
                let row = try scope.reading.giftCode(code.row)
                return try scope.redeem(try #require(row), for: account, at: time)
            }
            switch outcome {
            case .entered(_, isNew: false):
                #expect(code.owner == buyer)
                seen.insert(.redeemedTwice)
            case .refused(.redeemed):
                #expect(code.owner != nil && code.owner != buyer)
                seen.insert(.redeemedByOther)
            case .refused(.voided):
                #expect(code.owner == nil && code.isVoided)
                seen.insert(.voided)
            case .refused(.expired):
                #expect(code.owner == nil && !code.isVoided && (code.expires ?? .max) <= now)
                seen.insert(.expired)
            case .refused(.credit(let reason)):
                #expect(code.owner == nil && reason == .otherCurrency)
                #expect(code.currency != account.storefront.currency)
            case .entered(_, isNew: true):
                #expect(code.owner == nil && !code.isVoided && (code.expires ?? .max) > now)
                #expect(code.currency == account.storefront.currency)
                entries += 1
                have[buyer, default: 0] += code.worth
                codes[index].owner = buyer
                seen.insert(.redeemed)
            }
        }

        // MARK: - Both books

        /// Compares what everybody has with the balances, with sums over postings and with the
        /// statements.
        func compare() throws {
            #expect(try books.entryCount() == Int64(entries))
            for (index, person) in people.enumerated() {
                let expected = have[index, default: 0]
                #expect(try books.credit(of: person) == expected)
                let sum = try books.number(
                    """
                    SELECT coalesce(sum(milliunits), 0) FROM ledger_posting
                    WHERE account_kind = 'customer' AND account_id = \(person.id)
                    """)
                #expect(sum == expected)
                let statement = try books.database.read {
                    try $0.statement(of: person.id, before: .max, countMax: .max)
                }
                var left = expected
                for entry in statement {
                    #expect(entry.balance.milliunits == left)
                    left -= entry.amount.milliunits
                }
                #expect(left == 0)
            }
            for (code, sum) in earned {
                let currency = try #require(Currency(code: code))
                #expect(try books.proceeds(in: currency) == sum)
            }
            let outside = try books.number(
                """
                SELECT coalesce(sum(milliunits), 0) FROM ledger_posting
                WHERE account_kind IN ('funding', 'giftCodes')
                """)
            var held: Int64 = 0
            for sum in Array(have.values) + Array(earned.values) { held += sum }
            #expect(outside == -held)
        }
    }

    struct Surprise: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    /// SplitMix64: the same numbers from the same seed.
    struct Chance {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}
