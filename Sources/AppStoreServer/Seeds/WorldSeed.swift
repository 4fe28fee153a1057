import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreVerification
import StoreWire

/// A world as one file describes it, every part of it checked.
struct WorldSeed: Sendable {
    static let appsMax = 100
    static let accountsMax = 1_000
    /// Different passwords: each takes 50 ms to hash, however many accounts share it.
    static let passwordsMax = 100
    static let purchasesMax = 10_000
    static let subscriptionsMax = 1_000
    /// Prices of an app.
    static let pricesMax = 10_000

    enum Clock: Sendable {
        /// Follows the real clock.
        case real
        case running(from: Timestamp)
        case held(at: Timestamp)
    }

    struct App: Sendable {
        let bundleID: String
        let catalogue: CatalogueFile
        let gracePeriod: GracePeriod?
        let sharedSecret: String?
        let prices: [OwnPrice]
    }

    /// A storefront's own price: from the beginning, or from a later date on.
    struct OwnPrice: Sendable {
        let product: ProductID
        let price: DatedPrice
        let place: JSONPath
    }

    struct Account: Sendable {
        /// Real accounts buy nothing in a seed: nobody charged them.
        let environment: StoreEnvironment
        let name: String
        /// Without one nobody signs in by password.
        let password: String?
        let storefront: Storefront
        let settings: AccountSettings
        /// In thousandths of the storefront's currency.
        let creditMilliunits: Int64
    }

    /// When, with which version and how a real account got an app.
    struct GotApp: Sendable {
        let account: String
        let bundleID: String
        let purchasedAt: Timestamp
        let version: String
        let platform: AppTransaction.Platform
        let isVolumePurchase: Bool
    }

    /// Made before anything is bought.
    struct Family: Sendable {
        let organiser: String
        let others: [String]
    }

    struct Purchase: Sendable {
        let account: String
        let bundleID: String
        let request: PurchaseRequest
        let guid: String
        let at: Timestamp
        let isFinished: Bool
        /// The changes made to the subscription at once.
        let changes: [SubscriptionChange]
        /// Whether the payment is given back at once.
        let isRefunded: Bool
        let place: JSONPath
    }

    /// A subscription that the rules bring to a state by the world's time.
    struct Subscription: Sendable {
        let account: String
        let bundleID: String
        let goal: SubscriptionGoal
        let cast: SubscriptionGoal.Cast
        /// When it is bought.
        let at: Timestamp
        let place: JSONPath
    }

    let clock: Clock
    /// How fast the sandbox's subscriptions renew; nil for the usual pace.
    let pace: RenewalPace?
    let apps: [App]
    let accounts: [Account]
    let appTransactions: [GotApp]
    let families: [Family]
    /// In the order of their times, with those of `subscriptions`.
    let purchases: [Purchase]
    let subscriptions: [Subscription]
    /// Where the sandbox's transaction numbers begin; nil leaves that to `numberOffset`.
    let transactionStart: Int64?
    /// Derived from the file, so that the same file gives the same numbers.
    let numberOffset: Int64
    /// The error for what the rules refuse, with its place in the file.
    let failure: @Sendable (_ place: JSONPath, _ message: String) -> Refusal
}

extension WorldSeed {
    /// Fills a new world, by the rules for purchases on devices.
    func apply(to scope: borrowing WriteScope, realNow: Timestamp) throws {
        let now = start(realNow: realNow)
        if let transactionStart {
            try scope.setTransactionStart(transactionStart, in: .sandbox)
        }
        if let pace { try scope.setPace(pace, of: .sandbox) }
        for app in apps { try add(app, scope, now: now, realNow: realNow) }
        let ids = try addAccounts(scope, now: now)
        for got in appTransactions { try add(got, ids[.production]?[got.account], scope) }
        for family in families {
            let members = [family.organiser] + family.others
            try scope.setMembers(
                of: try scope.addFamily(in: .sandbox, at: now), from: [],
                to: members.compactMap { ids[.sandbox]?[$0] }.enumerated().map { place, account in
                    FamilyMember(account: account, isOrganiser: place == 0)
                }, at: now)
        }
        for purchase in purchases { try record(purchase, scope) }
        let failing = accounts.filter(\.settings.failsRenewals)
        if !failing.isEmpty || !subscriptions.isEmpty {
            try settle(until: end(realNow: realNow), scope)
        }
        try check(subscriptions, at: end(realNow: realNow), scope)
        for account in failing {
            guard let id = ids[account.environment]?[account.name] else { continue }
            try scope.setSettings(account.settings, of: id)
        }
        switch clock {
        case .real: break
        case .running(let time):
            try scope.setClock(
                .real(offsetMilliseconds: time.milliseconds - realNow.milliseconds))
        case .held(let time): try scope.setClock(.held(at: time))
        }
    }

    /// Each account's, by environment and name.
    private func addAccounts(
        _ scope: borrowing WriteScope, now: Timestamp
    ) throws -> [StoreEnvironment: [String: AccountID]] {
        var ids: [StoreEnvironment: [String: AccountID]] = [:]
        var hashes: [String: String] = [:]
        for account in accounts {
            let hash = try account.password.map { try hashes[$0] ?? PasswordHash.make($0) }
            if let password = account.password { hashes[password] = hash }
            let id = try scope.addAccount(
                account.name, in: account.environment, storefront: account.storefront,
                passwordHash: hash, now: now)
            guard let id else { continue }
            ids[account.environment, default: [:]][account.name] = id
            try scope.setSettings(account.settings.paying, of: id)
            guard account.creditMilliunits > 0 else { continue }
            let credit = Money(
                milliunits: account.creditMilliunits, currency: account.storefront.currency)
            _ = try scope.enter(
                try .topUp(
                    credit, to: id, in: account.environment,
                    request: SeedReader.uuid(
                        from: "credit/\(account.environment.rawValue)/\(account.name)"), at: now))
        }
        return ids
    }

    private func add(
        _ got: GotApp, _ account: AccountID?, _ scope: borrowing WriteScope
    ) throws {
        guard let account, let app = try scope.reading.app(bundleID: got.bundleID) else {
            preconditionFailure("the reader rejects unknown accounts and apps")
        }
        try scope.save(
            AppTransaction(
                id: AppTransactionID(try scope.next(appTransactionSequence)),
                purchasedAt: got.purchasedAt, version: got.version, platform: got.platform,
                isVolumePurchase: got.isVolumePurchase), of: account, in: app.id)
    }

    private func add(
        _ app: App, _ scope: borrowing WriteScope, now: Timestamp, realNow: Timestamp
    ) throws {
        _ = try CatalogueImport(file: app.catalogue, now: now, realNow: realNow)
            .apply(to: app.bundleID, scope)
        let id = try scope.reading.knownApp(app.bundleID).id
        try scope.setGracePeriod(app.gracePeriod, of: id)
        if let secret = app.sharedSecret {
            _ = try scope.addSecret(
                digest: sha256(Array(secret.utf8)), of: .app(id), realNow: realNow)
        }
        for own in app.prices {
            let known = try scope.reading.ownPrices(of: own.product, in: id)
            do {
                _ = try PriceRules.add(own.price, to: known, now: now)
            } catch {
                throw failure(own.place, Refusal(error).message)
            }
            try scope.addPrice(own.price, of: own.product, in: id, now: now)
        }
    }

    /// When the world is made, by its own clock; before every event in it.
    private func start(realNow: Timestamp) -> Timestamp {
        let now = end(realNow: realNow)
        return purchases.first.map { min($0.at, now) } ?? now
    }

    /// What the world's clock shows at first.
    private func end(realNow: Timestamp) -> Timestamp {
        switch clock {
        case .real: realNow
        case .running(let time), .held(let time): time
        }
    }

    /// Settles what is due by then.
    private func settle(until now: Timestamp, _ scope: borrowing WriteScope) throws {
        let time = WorldTime(clock: .held(at: now), recorded: now, wall: WallClock { now })
        while try !DueWork.settle(until: now, time: time, scope).isDone {}
    }

    /// Throws unless every subscription is in the state that it was to have by then.
    private func check(
        _ subscriptions: [Subscription], at now: Timestamp, _ scope: borrowing WriteScope
    ) throws {
        for wanted in subscriptions {
            let app = try scope.reading.knownApp(wanted.bundleID).id
            let account = try scope.reading.accountSecret(wanted.account, in: .sandbox)?.account
            let found = try account.flatMap {
                try scope.reading.subscription(
                    of: $0.id, in: app, group: wanted.cast.product.subscriptionGroup ?? "")
            }
            guard let found,
                wanted.goal.isReached(
                    by: try SubscriptionService.answer(found.original, at: now, scope.reading),
                    wanted.cast)
            else {
                throw failure(
                    wanted.place,
                    "did not become \(wanted.goal.rawValue): another purchase of the seed is in the "
                        + "way, or the pace")
            }
        }
    }

    private func record(
        _ purchase: Purchase, _ scope: borrowing WriteScope
    ) throws {
        guard let app = try scope.reading.app(bundleID: purchase.bundleID),
            let account = try scope.reading.accountSecret(purchase.account, in: .sandbox)?.account
        else { preconditionFailure("the reader rejects purchases without both") }
        let device = try scope.saveDevice(
            guid: purchase.guid, app: app.id, appVersion: "1.0", in: .sandbox, now: purchase.at)
        try scope.addAppTransaction(of: account, in: app.id, version: "1.0", at: purchase.at)
        let session = DeviceSession(
            device: device, environment: .sandbox, guid: purchase.guid, app: app.id,
            bundleID: app.bundleID, appNumber: app.number, appVersion: "1.0", account: account,
            appStorefront: app.storefront, tokenDigest: [])
        try settle(until: purchase.at, scope)
        let time = WorldTime(
            clock: .held(at: purchase.at), recorded: purchase.at, wall: WallClock { purchase.at })
        let outcome = try AppStoreServer.Purchase(
            request: purchase.request, session: session, account: account, environment: .sandbox
        ).decide(scope, time: time)
        if [.deferred, .interrupted].contains(outcome.attempt.state), !purchase.isFinished,
            purchase.changes.isEmpty, !purchase.isRefunded
        {
            return
        }
        guard let sold = outcome.transaction?.transaction else {
            throw failure(
                purchase.place,
                outcome.attempt.refusal?.message
                    ?? "It waits for an approval or an interruption, so it cannot be finished, and "
                    + "a subscription has not begun: give it only finished false.")
        }
        if purchase.isFinished {
            _ = try FinishService.finish(sold, at: purchase.at, scope)
        }
        do {
            for change in purchase.changes {
                _ = try change.carryOut(on: sold.original, scope, time: time)
            }
            guard purchase.isRefunded else { return }
            for change in [RefundChange.request(.unintendedPurchase), .grant(.full)] {
                _ = try change.carryOut(on: sold.id, except: [], scope, time: time)
            }
        } catch let refusal as Refusal {
            throw failure(purchase.place, refusal.message)
        }
    }
}
