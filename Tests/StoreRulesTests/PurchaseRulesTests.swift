import StoreModel
import StoreRules
import Testing

struct PurchaseRulesTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        var environment = StoreEnvironment.sandbox
        var product: Product? = .sample()
        var quantity = 1
        var first: StoreTransaction?
        var known: PurchaseFacts.KnownAttempt?
        var settings = AccountSettings.plain
        var waiting = 0
        var isFull = false
        var credit: Money?
        var shown: Money?
        var simulates = false
        let expected: PurchaseDecision
    }

    static let account = AccountID(7)
    static let digest: [UInt8] = [1, 2, 3]

    static func usd(_ milliunits: Int64) throws -> Money {
        Money(milliunits: milliunits, currency: try #require(Currency(code: "USD")))
    }

    static func rows() throws -> [Row] {
        let fuel = Product.sample()
        let turbo = Product.sample(kind: .nonConsumable)
        let pass = Product.sample(kind: .nonRenewing)
        let first = try StoreTransaction.sample()
        return [
            Row(
                testDescription: "a consumable is charged",
                expected: .sell(fuel, charge: try usd(990), original: nil)),
            Row(
                testDescription: "ten of it cost ten times as much", quantity: 10,
                expected: .sell(fuel, charge: try usd(9_900), original: nil)),
            Row(
                testDescription: "a consumable bought before is bought anew", first: first,
                expected: .sell(fuel, charge: try usd(990), original: nil)),
            Row(
                testDescription: "a non-consumable is charged once", product: turbo,
                expected: .sell(turbo, charge: try usd(990), original: nil)),
            Row(
                testDescription: "an owned non-consumable costs nothing", product: turbo,
                first: first, expected: .sell(turbo, charge: try usd(0), original: first)),
            Row(
                testDescription: "a non-renewing subscription comes in numbers", product: pass,
                quantity: 2, expected: .sell(pass, charge: try usd(1_980), original: nil)),
            Row(
                testDescription: "a known attempt is answered, whatever else holds",
                environment: .production, product: nil, quantity: 1,
                known: .init(account: account, bodyDigest: digest), expected: .answerKnown),
            Row(
                testDescription: "another request under the same id",
                known: .init(account: account, bodyDigest: [9]), expected: .idReused),
            Row(
                testDescription: "another account under the same id",
                known: .init(account: AccountID(8), bodyDigest: digest), expected: .idReused),
        ] + refusals(turbo: turbo) + (try waits(turbo: turbo))
    }

    /// Prices that were shown, and who is asked first.
    static func waits(turbo: Product) throws -> [Row] {
        let fuel = Product.sample()
        let child = AccountSettings(needsApproval: true, interruptsPurchases: false)
        let interrupted = AccountSettings(needsApproval: false, interruptsPurchases: true)
        let both = AccountSettings(needsApproval: true, interruptsPurchases: true)
        let first = try StoreTransaction.sample()
        let euro = Money(milliunits: 990, currency: try #require(Currency(code: "EUR")))
        return [
            Row(
                testDescription: "the price that was shown is charged", quantity: 2,
                shown: try usd(1_980),
                expected: .sell(fuel, charge: try usd(1_980), original: nil)),
            Row(
                testDescription: "a higher price than was shown", settings: child,
                shown: try usd(980), expected: .refuse(.priceChanged)),
            Row(
                testDescription: "a lower price than was shown", shown: try usd(991),
                expected: .refuse(.priceChanged)),
            Row(
                testDescription: "another currency than was shown", shown: euro,
                expected: .refuse(.priceChanged)),
            Row(
                testDescription: "what is owned costs nothing, whatever was shown",
                product: turbo, first: first, shown: try usd(5),
                expected: .sell(turbo, charge: try usd(0), original: first)),
            Row(
                testDescription: "an account that needs approval", settings: child,
                expected: .wait(.approval)),
            Row(
                testDescription: "an interrupted one", settings: interrupted,
                expected: .wait(.interruption)),
            Row(
                testDescription: "who approves is asked before the person", settings: both,
                expected: .wait(.approval)),
            Row(
                testDescription: "an approval that is simulated", simulates: true,
                expected: .wait(.approval)),
            Row(
                testDescription: "production simulates nothing", environment: .production,
                simulates: true, expected: .sell(fuel, charge: try usd(990), original: nil)),
            Row(
                testDescription: "nobody is asked for what is owned", product: turbo,
                first: first, settings: child, simulates: true,
                expected: .sell(turbo, charge: try usd(0), original: first)),
            Row(
                testDescription: "the last that may wait", settings: child,
                waiting: PurchaseRules.waitingMax - 1, expected: .wait(.approval)),
            Row(
                testDescription: "one more than may wait", settings: child,
                waiting: PurchaseRules.waitingMax, expected: .refuse(.tooManyWaiting)),
            Row(
                testDescription: "others are sold however many wait",
                waiting: PurchaseRules.waitingMax,
                expected: .sell(fuel, charge: try usd(990), original: nil)),
        ]
    }

    /// In the order in which the reasons are looked for: each row breaks its own rule and every
    /// later one that it can.
    static func refusals(turbo: Product) -> [Row] {
        [
            Row(
                testDescription: "quantity 0", environment: .production, product: nil,
                quantity: 0, expected: .refuse(.quantityNotAllowed)),
            Row(
                testDescription: "quantity 11", quantity: 11,
                expected: .refuse(.quantityNotAllowed)),
            Row(
                testDescription: "quantity -1", quantity: -1,
                expected: .refuse(.quantityNotAllowed)),
            Row(
                testDescription: "an unknown product", environment: .production, product: nil,
                expected: .refuse(.productUnknown)),
            Row(
                testDescription: "a product not yet approved is unknown",
                environment: .production,
                product: .sample(kind: .autoRenewable, state: .pendingApproval),
                expected: .refuse(.productUnknown)),
            Row(
                testDescription: "a rejected product is unknown", environment: .production,
                product: .sample(kind: .autoRenewable, state: .rejected),
                expected: .refuse(.productUnknown)),
            Row(
                testDescription: "two of a non-consumable", product: turbo, quantity: 2,
                expected: .refuse(.quantityNotAllowed)),
            Row(
                testDescription: "a product removed from sale", environment: .production,
                product: .sample(kind: .autoRenewable, state: .removedFromSale),
                expected: .refuse(.productNotForSale)),
            Row(
                testDescription: "a subscription, which this store does not sell yet",
                environment: .production, product: .sample(kind: .autoRenewable),
                expected: .refuse(.kindNotSold)),
            Row(
                testDescription: "a receipt that has no room",
                settings: .init(
                    needsApproval: true, interruptsPurchases: true),
                waiting: PurchaseRules.waitingMax, isFull: true,
                credit: Money.nothing(in: Storefront.default.currency),
                shown: Money(milliunits: 1, currency: Storefront.default.currency),
                expected: .refuse(.receiptFull)),
            Row(
                testDescription: "a receipt that has no room for what is owned, either",
                product: turbo, isFull: true, expected: .refuse(.receiptFull)),
            Row(
                testDescription: "a known attempt is answered when there is no room",
                known: .init(account: account, bodyDigest: digest), isFull: true,
                expected: .answerKnown),
        ]
    }

    static func paid() throws -> [Row] {
        let fuel = Product.sample()
        let turbo = Product.sample(kind: .nonConsumable)
        let first = try StoreTransaction.sample()
        let child = AccountSettings(needsApproval: true, interruptsPurchases: false)
        return [
            Row(
                testDescription: "credit that is just enough", credit: try usd(990),
                expected: .sell(fuel, charge: try usd(990), original: nil)),
            Row(
                testDescription: "a thousandth too little", credit: try usd(989),
                expected: .unpaid(price: try usd(990), missing: try usd(1))),
            Row(
                testDescription: "credit for one, and two are wanted", quantity: 2,
                credit: try usd(990),
                expected: .unpaid(price: try usd(1_980), missing: try usd(990))),
            Row(
                testDescription: "credit of another currency",
                credit: Money(
                    milliunits: 5_000, currency: try #require(Currency(code: "EUR"))),
                expected: .unpaid(price: try usd(990), missing: try usd(990))),
            Row(
                testDescription: "what is owned needs no credit", product: turbo, first: first,
                credit: try usd(0), expected: .sell(turbo, charge: try usd(0), original: first)),
            Row(
                testDescription: "another price is told before credit is looked at",
                credit: try usd(0), shown: try usd(1), expected: .refuse(.priceChanged)),
            Row(
                testDescription: "credit is looked at when it was approved", settings: child,
                credit: try usd(0), expected: .wait(.approval)),
        ]
    }

    @Test(arguments: try rows() + paid())
    func `a purchase attempt is decided as its row says`(row: Row) throws {
        let facts = PurchaseFacts(
            environment: row.environment, storefront: .default, now: Timestamp(seconds: 9),
            knownAttempt: row.known,
            product: row.product, firstPurchase: row.first, settings: row.settings,
            waitingCount: row.waiting, isReceiptFull: row.isFull,
            means: row.credit.map { PurchaseMeans(credit: $0) })
        let command = PurchaseCommand(
            account: Self.account, bodyDigest: Self.digest, quantity: row.quantity,
            shownPrice: row.shown, simulatesAskToBuy: row.simulates)
        #expect(PurchaseRules.decide(command, given: facts) == row.expected)
    }

    @Test func `a purchase is charged the price in force at that moment`() throws {
        let japan = try #require(Storefront(countryCode: "JPN"))
        let germany = try #require(Storefront(countryCode: "DEU"))
        let product = Product.sample(prices: [
            DatedPrice(storefront: "JPN", price: Price(decimal: "160"), from: nil),
            DatedPrice(
                storefront: "JPN", price: Price(decimal: "99"), from: Timestamp(seconds: 100)),
        ])
        func charge(_ storefront: Storefront, at seconds: Int64) -> Money? {
            let facts = PurchaseFacts(
                environment: .sandbox, storefront: storefront, now: Timestamp(seconds: seconds),
                knownAttempt: nil, product: product, firstPurchase: nil)
            let command = PurchaseCommand(account: Self.account, bodyDigest: [], quantity: 2)
            guard case .sell(_, let charge, _) = PurchaseRules.decide(command, given: facts) else {
                return nil
            }
            return charge
        }
        #expect(charge(japan, at: 99)?.milliunits == 320_000)
        #expect(charge(japan, at: 100)?.milliunits == 198_000)
        #expect(charge(japan, at: 99)?.currency.code == "JPY")
        #expect(charge(germany, at: 100)?.milliunits == 1_980)
        #expect(charge(germany, at: 100)?.currency.code == "EUR")
    }
}

extension Product {
    static func sample(
        kind: ProductKind = .consumable, state: SaleState = .clearedForSale,
        prices: [DatedPrice] = []
    ) -> Product {
        guard let price = Price(decimal: "0.99") else { preconditionFailure("0.99 is a price") }
        return Product(
            id: ProductID("com.example.fuel"), kind: kind, referenceName: nil,
            isFamilyShareable: false, subscriptionGroup: nil, state: state, basePrice: price,
            ownPrices: prices, texts: [])
    }
}

extension StoreTransaction {
    static func sample() throws -> StoreTransaction {
        StoreTransaction(
            id: TransactionID(2_000_000_000_000_000),
            original: TransactionID(2_000_000_000_000_000),
            environment: .sandbox, app: AppID(1), account: AccountID(7), device: DeviceID(1),
            attempt: AttemptID("A"), product: ProductID("com.example.turbo"),
            kind: .nonConsumable, quantity: 1, purchasedAt: Timestamp(seconds: 5),
            originallyPurchasedAt: Timestamp(seconds: 5),
            charged: try PurchaseRulesTests.usd(990), storefront: "USA",
            applicationUsername: nil, finishedAt: nil)
    }
}
