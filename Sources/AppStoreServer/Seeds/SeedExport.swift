import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// Writes a world as a seed: all of it that a seed can say, and no secrets. Passwords and shared
/// secrets are kept as digests alone; subscriptions are told by their states.
struct SeedExport {
    /// Rows of one step.
    private static let rowsMax = 500
    /// Sales of the sandbox that are looked at: most may be renewals, which a seed does not tell.
    static let salesMax = 100_000

    private let now: Timestamp
    private let realNow: Timestamp
    private let bytesMax: Int
    private let salesMax: Int
    /// The accounts of the seed, by environment.
    private var accounts: [StoreEnvironment: [AccountOverview]] = [:]
    private var apps: [App] = []

    private struct App {
        let row: AppRow
        let file: CatalogueFile
    }

    /// The bytes of the seed's file.
    ///
    /// `bytesMax` and `salesMax` are lower in tests.
    static func seed(
        of scope: borrowing ReadScope, now: Timestamp, realNow: Timestamp,
        bytesMax: Int = Limits.seedBodyMax, salesMax: Int = salesMax
    ) throws -> [UInt8] {
        var export = Self(now: now, realNow: realNow, bytesMax: bytesMax, salesMax: salesMax)
        let bytes = try export.write(scope).indentedBytes
        try export.check(bytes.count, "bytes", bytesMax)
        return bytes
    }

    private init(now: Timestamp, realNow: Timestamp, bytesMax: Int, salesMax: Int) {
        (self.now, self.realNow) = (now, realNow)
        (self.bytesMax, self.salesMax) = (bytesMax, salesMax)
    }

    private mutating func write(_ scope: borrowing ReadScope) throws -> JSONValue {
        var catalogueBytes = 0
        for row in try scope.apps() {
            guard let bytes = try scope.catalogue(of: row.id) else { continue }
            catalogueBytes += bytes.count
            // Before all of them are in memory.
            try check(catalogueBytes, "bytes of catalogues", bytesMax)
            // The text that a seed's object gets, so that it stays the same from then on.
            let written = try CatalogueFile(bytes: bytes).document.value
            apps.append(App(row: row, file: try CatalogueFile(document: written)))
        }
        let count = try scope.accountCount(max: WorldSeed.accountsMax + 1)
        try check(count, "accounts", WorldSeed.accountsMax)
        for overview in try scope.accountOverviews(realNow: realNow)
        where overview.deletedAt == nil {
            accounts[overview.account.environment, default: []].append(overview)
        }
        try check(apps.count, "apps", WorldSeed.appsMax)
        var seed: JSONValue = ["pace": .string(try scope.pace(of: .sandbox).rawValue)]
        if let clock = try clock(scope) {
            seed = JSONValue.object([.init("clock", clock)]).merging(seed)
        }
        let parts: KeyValuePairs<String, [JSONValue]> = [
            "apps": try apps.map { try described($0, scope) },
            "accounts": try StoreEnvironment.allCases.flatMap { environment in
                try accounts[environment, default: []].map { try described($0, scope) }
            },
            "appTransactions": try appTransactions(scope),
            "families": try families(scope),
            "purchases": try purchases(scope),
            "subscriptions": try subscriptions(scope),
        ]
        for (name, items) in parts where !items.isEmpty {
            seed = seed.merging(.object([.init(name, .array(items))]))
        }
        return seed
    }

    private func check(_ count: Int, _ what: String, _ most: Int) throws {
        guard count <= most else {
            throw Refusal(
                409, "worldTooLarge",
                "The world has more than \(most) \(what), which is more than a seed may have.")
        }
    }

    // MARK: - Parts

    private func clock(_ scope: borrowing ReadScope) throws -> JSONValue? {
        switch try scope.clock() {
        case .held(let at): ["mode": "held", "now": text(at)]
        case .real(offsetMilliseconds: 0): nil
        case .real: ["mode": "real", "now": text(now)]
        }
    }

    private func described(_ app: App, _ scope: borrowing ReadScope) throws -> JSONValue {
        var item: JSONValue = ["bundleId": .string(app.row.bundleID)]
        if let grace = app.row.gracePeriod {
            item = item.merging(["gracePeriodDays": .integer(grace.rawValue)])
        }
        let prices = try app.file.products.sorted { $0.id.rawValue < $1.id.rawValue }
            .flatMap { try own(scope.ownPrices(of: $0.id, in: app.row.id), of: $0.id) }
        try check(prices.count, "prices of an app", WorldSeed.pricesMax)
        if !prices.isEmpty { item = item.merging(["prices": .array(prices)]) }
        return item.merging(["catalogue": app.file.document.value])
    }

    /// The prices in force, and those to come.
    private func own(_ prices: [DatedPrice], of product: ProductID) -> [JSONValue] {
        let begun = PriceRules.inForce(prices, at: now).sorted { $0.key < $1.key }.map {
            DatedPrice(storefront: $0.key, price: $0.value, from: nil)
        }
        let coming = prices.filter { !PriceRules.hasBegun($0, at: now) }
            .sorted { ($0.storefront, $0.from ?? now) < ($1.storefront, $1.from ?? now) }
        return (begun + coming).map { price in
            var item: JSONValue = [
                "productId": .string(product.rawValue), "storefront": .string(price.storefront),
                "price": price.price.map { .string($0.decimal) } ?? .null,
            ]
            if let from = price.from { item = item.merging(["from": text(from)]) }
            return item
        }
    }

    private func described(
        _ overview: AccountOverview, _ scope: borrowing ReadScope
    ) throws -> JSONValue {
        let account = overview.account
        var item: JSONValue = [
            "name": .string(account.name), "storefront": .string(account.storefront.countryCode),
        ]
        if account.environment == .production {
            item = item.merging(["environment": "production"])
        }
        if overview.settings.needsApproval { item = item.merging(["needsApproval": true]) }
        if overview.settings.interruptsPurchases {
            item = item.merging(["interruptsPurchases": true])
        }
        if overview.settings.failsRenewals { item = item.merging(["failsRenewals": true]) }
        let credit = try scope.credit(of: account.id, in: account.storefront.currency)
        // A seed gives an account no more than this.
        let given = min(credit.milliunits, CreditRules.amountMilliunitsMax)
        if given > 0, let amount = Price(milliunits: given) {
            item = item.merging(["credit": .string(amount.decimal)])
        }
        return item
    }

    private func appTransactions(_ scope: borrowing ReadScope) throws -> [JSONValue] {
        var items: [JSONValue] = []
        for overview in accounts[.production, default: []] {
            for app in apps {
                guard
                    let got = try scope.appTransaction(of: overview.account.id, in: app.row.id),
                    got.purchasedAt <= now
                else { continue }
                items.append([
                    "account": .string(overview.account.name),
                    "bundleId": .string(app.row.bundleID),
                    "originalPurchaseDate": text(got.purchasedAt),
                    "originalApplicationVersion": .string(got.version),
                    "originalPlatform": .string(got.platform.rawValue),
                    "isVolumePurchase": .bool(got.isVolumePurchase),
                ])
            }
        }
        try check(items.count, "app transactions", WorldSeed.accountsMax)
        return items
    }

    private func families(_ scope: borrowing ReadScope) throws -> [JSONValue] {
        var (items, after): ([JSONValue], Int64?) = ([], 0)
        while let place = after {
            let found = try scope.families(after: place, countMax: Self.rowsMax)
            for family in found where family.environment == .sandbox {
                let names = family.members.map { JSONValue.string($0.name) }
                guard let organiser = names.first else { continue }
                items.append(["organiser": organiser, "members": .array(Array(names.dropFirst()))])
            }
            after = found.count == Self.rowsMax ? found.last?.number.rawValue : nil
        }
        return items
    }

    /// The test accounts that buy without anybody's approval, by their numbers: a seed could not
    /// repeat what others bought.
    private var buyers: [AccountID: String] {
        Dictionary(
            uniqueKeysWithValues: accounts[.sandbox, default: []].filter {
                !$0.settings.holdsPurchases
            }.map { ($0.account.id, $0.account.name) })
    }

    /// What was bought, once each, but for subscriptions.
    private func purchases(_ scope: borrowing ReadScope) throws -> [JSONValue] {
        let buyers = buyers
        let products = Dictionary(
            uniqueKeysWithValues: apps.map { ($0.row.id, Set($0.file.products.map(\.id))) })
        let names = Dictionary(uniqueKeysWithValues: apps.map { ($0.row.id, $0.row.bundleID) })
        var found: [(sold: StoreTransaction, item: JSONValue)] = []
        var after: Int64? = StoreEnvironment.sandbox.transactionNumbers.lowerBound - 1
        var count = 0
        while let place = after {
            let page = try scope.sales(
                .all, in: .sandbox, after: place, .oldest, countMax: Self.rowsMax,
                lookingAt: Self.rowsMax)
            count += page.end == nil ? page.sales.count : Self.rowsMax
            try check(count, "sales in the sandbox", salesMax)
            for sale in page.sales {
                guard let number = Int64(sale.sold.transactionId),
                    let sold = try scope.transaction(TransactionID(number)),
                    sold.kind != .autoRenewable, sold.share == nil, sold.purchasedAt <= now,
                    let account = buyers[sold.account], let bundleID = names[sold.app],
                    products[sold.app]?.contains(sold.product) == true
                else { continue }
                found.append(
                    (
                        sold,
                        try described(
                            sold, by: account, in: bundleID, isRevoked: sale.state == .revoked,
                            scope)
                    ))
                try check(found.count, "purchases", WorldSeed.purchasesMax)
            }
            let last = page.sales.last.flatMap { Int64($0.sold.transactionId) }
            after = page.sales.count == Self.rowsMax ? last : page.end
        }
        return found.sorted {
            ($0.sold.purchasedAt, $0.sold.id) < ($1.sold.purchasedAt, $1.sold.id)
        }
        .map(\.item)
    }

    private func described(
        _ sold: StoreTransaction, by account: String, in bundleID: String, isRevoked: Bool,
        _ scope: borrowing ReadScope
    ) throws -> JSONValue {
        var item: JSONValue = [
            "account": .string(account), "bundleId": .string(bundleID),
            "productId": .string(sold.product.rawValue), "at": text(sold.purchasedAt),
        ]
        if sold.quantity > 1 { item = item.merging(["quantity": .integer(sold.quantity)]) }
        if sold.finishedAt == nil { item = item.merging(["finished": false]) }
        if let device = try scope.device(sold.device, realNow: realNow) {
            item = item.merging(["device": .string(device.guid)])
        }
        if let name = sold.applicationUsername {
            item = item.merging(["applicationUsername": .string(name)])
        }
        return isRevoked ? item.merging(["refunded": true]) : item
    }

    private func subscriptions(_ scope: borrowing ReadScope) throws -> [JSONValue] {
        let buyers = buyers
        var items: [(order: [String], item: JSONValue)] = []
        var after: Int64? = 0
        while let place = after {
            let found = try scope.namedSubscriptions(after: place, countMax: Self.rowsMax)
            for named in found where named.kept.environment == .sandbox {
                guard let account = buyers[named.kept.account],
                    let app = apps.first(where: { $0.row.bundleID == named.bundleID }),
                    let product = app.file.products.first(where: {
                        $0.id == named.kept.state.product
                    })
                else { continue }
                let body = try SubscriptionService.answer(named.kept.original, at: now, scope)
                let goal = SubscriptionGoal(of: body)
                guard goal.cast(product, from: app.file.products) != nil,
                    goal != .grace || app.row.gracePeriod != nil
                else { continue }
                let item: JSONValue = [
                    "account": .string(account), "bundleId": .string(named.bundleID),
                    "productId": .string(product.id.rawValue), "state": .string(goal.rawValue),
                ]
                items.append(([account, named.bundleID, product.id.rawValue], item))
                try check(items.count, "subscriptions", WorldSeed.subscriptionsMax)
            }
            after = found.count == Self.rowsMax ? found.last?.kept.original.rawValue : nil
        }
        return items.sorted { $0.order.lexicographicallyPrecedes($1.order) }.map(\.item)
    }

    private func text(_ time: Timestamp) -> JSONValue { .string(CalendarDate(time).rfc3339) }
}
