import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreWire

/// A world as one file describes it, every part of it checked.
struct WorldSeed: Sendable {
    static let appsMax = 100
    static let accountsMax = 1_000
    /// Different passwords: each takes 50 ms to hash, however many accounts share it.
    static let passwordsMax = 100
    static let purchasesMax = 10_000

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
    }

    struct Account: Sendable {
        /// Real accounts buy nothing in a seed: nobody charged them.
        let environment: StoreEnvironment
        let name: String
        let password: String
        let storefront: Storefront
        let settings: AccountSettings
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
    }

    let clock: Clock
    /// How fast the sandbox's subscriptions renew; nil for the usual pace.
    let pace: RenewalPace?
    let apps: [App]
    let accounts: [Account]
    let appTransactions: [GotApp]
    let families: [Family]
    let purchases: [Purchase]
    /// Where the sandbox's transaction numbers begin; nil leaves that to `numberOffset`.
    let transactionStart: Int64?
    /// Derived from the file, so that the same file gives the same numbers.
    let numberOffset: Int64
    /// The error for a purchase that the rules refuse, with its place in the file.
    let failure: @Sendable (_ purchase: Int, _ message: String) -> Refusal
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
        var ids: [String: AccountID] = [:]
        var hashes: [String: String] = [:]
        for account in accounts {
            let hash = try hashes[account.password] ?? PasswordHash.make(account.password)
            hashes[account.password] = hash
            let id = try scope.addAccount(
                account.name, in: account.environment, storefront: account.storefront,
                passwordHash: hash,
                now: now)
            if let id { try scope.setSettings(account.settings, of: id) }
            ids[account.name] = id
        }
        for got in appTransactions { try add(got, ids[got.account], scope) }
        for family in families {
            let members = [family.organiser] + family.others
            try scope.setMembers(
                of: try scope.addFamily(in: .sandbox, at: now), from: [],
                to: members.compactMap { ids[$0] }.enumerated().map { place, account in
                    FamilyMember(account: account, isOrganiser: place == 0)
                }, at: now)
        }
        for (index, purchase) in purchases.enumerated() {
            try record(purchase, number: index, scope)
        }
        switch clock {
        case .real: break
        case .running(let time):
            try scope.setClock(
                .real(offsetMilliseconds: time.milliseconds - realNow.milliseconds))
        case .held(let time): try scope.setClock(.held(at: time))
        }
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
    }

    /// When the world is made, by its own clock; before every event in it.
    private func start(realNow: Timestamp) -> Timestamp {
        let now: Timestamp =
            switch clock {
            case .real: realNow
            case .running(let time), .held(let time): time
            }
        return purchases.first.map { min($0.at, now) } ?? now
    }

    private func record(
        _ purchase: Purchase, number: Int, _ scope: borrowing WriteScope
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
        let time = WorldTime(
            clock: .held(at: purchase.at), recorded: purchase.at, wall: WallClock { purchase.at })
        while try !DueWork.settle(until: purchase.at, time: time, scope).isDone {}
        let outcome = try AppStoreServer.Purchase(
            request: purchase.request, session: session, account: account, environment: .sandbox
        ).decide(scope, time: time)
        if [.deferred, .interrupted].contains(outcome.attempt.state), !purchase.isFinished,
            purchase.changes.isEmpty
        {
            return
        }
        guard let sold = outcome.transaction?.transaction else {
            throw failure(
                number,
                outcome.attempt.refusal?.message
                    ?? "It waits for an approval or an interruption, so it cannot be finished, and "
                    + "a subscription has not begun: give it only finished false.")
        }
        if purchase.isFinished {
            _ = try FinishService.finish(sold, at: purchase.at, scope)
        }
        for change in purchase.changes {
            do {
                _ = try change.carryOut(on: sold.original, scope, time: time)
            } catch let refusal as Refusal {
                throw failure(number, refusal.message)
            }
        }
    }
}
