import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreVerification
import StoreWire

/// Reads a seed; throws at the first error, with its place and path.
struct SeedReader {
    let document: JSONDocument
    let realNow: Timestamp

    static func read(_ bytes: [UInt8], realNow: Timestamp) throws -> WorldSeed {
        let document: JSONDocument
        do {
            document = try JSONDocument(
                bytes: bytes, limits: JSONLimits(bytesMax: Limits.seedBodyMax))
        } catch {
            throw Refusal(422, "badSeed", "\(error)")
        }
        return try SeedReader(document: document, realNow: realNow).seed(bytes)
    }

    private func seed(_ bytes: [UInt8]) throws -> WorldSeed {
        let root = try object(
            document.value, at: .root,
            keys: [
                "$schema", "clock", "pace", "transactionNumberStart", "apps", "accounts",
                "appTransactions", "families", "purchases", "subscriptions",
            ])
        _ = try text("$schema", of: root, at: .root)
        let clock = try clock(of: root)
        let pace = try pace(of: root)
        let apps = try apps(of: root, until: end(of: clock))
        let accounts = try accounts(of: root)
        let names = Set(accounts.filter { $0.environment == .sandbox }.map(\.name))
        let real = Set(accounts.filter { $0.environment == .production }.map(\.name))
        let gotApps = try appTransactions(
            of: root, apps: apps, accounts: real, until: end(of: clock))
        let families = try families(of: root, accounts: names)
        let subscriptions = try subscriptions(
            of: root, apps: apps, accounts: names, pace: pace, at: end(of: clock))
        let leading = try subscriptions.enumerated().flatMap {
            try leadingPurchases(to: $1, number: $0)
        }
        let purchases =
            try purchases(
                of: root, apps: apps, accounts: names, until: end(of: clock)) + leading
        let digest = sha256(bytes).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let reader = self
        return WorldSeed(
            clock: clock, pace: pace, apps: apps, accounts: accounts, appTransactions: gotApps,
            families: families, purchases: inOrder(purchases), subscriptions: subscriptions,
            transactionStart: try transactionStart(of: root, purchases: purchases.count),
            numberOffset: Int64(digest % UInt64(Self.offsetsMax)),
            failure: { reader.failure($1, at: $0) })
    }

    /// By their times; those of one moment as they were written.
    private func inOrder(_ purchases: [WorldSeed.Purchase]) -> [WorldSeed.Purchase] {
        purchases.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
    }

    /// The numbers within its range from which a world may begin to count.
    private static let offsetsMax: Int64 = 1_000_000_000_000_000

    // MARK: - The root

    private func clock(of root: JSONValue) throws -> WorldSeed.Clock {
        let path = JSONPath.root.appending("clock")
        guard let value = member("clock", of: root) else { return .real }
        _ = try object(value, at: path, keys: ["mode", "now"])
        let now = try time("now", of: value, at: path)
        switch try text("mode", of: value, at: path) {
        case "held":
            guard let now else {
                throw failure(
                    "is missing: a held clock needs a time", at: path.appending("now"))
            }
            return .held(at: now)
        case "real": return now.map { .running(from: $0) } ?? .real
        default: throw failure("is not \"held\" or \"real\"", at: path.appending("mode"))
        }
    }

    private func pace(of root: JSONValue) throws -> RenewalPace? {
        guard let name = try text("pace", of: root, at: .root) else { return nil }
        guard let pace = RenewalPace(rawValue: name) else {
            throw failure(
                "is not a pace; \"bodega clock pace\" lists them", at: .root.appending("pace"))
        }
        return pace
    }

    /// The latest possible time of an event.
    private func end(of clock: WorldSeed.Clock) -> Timestamp {
        switch clock {
        case .real: realNow
        case .running(let time), .held(let time): time
        }
    }

    private func transactionStart(of root: JSONValue, purchases: Int) throws -> Int64? {
        guard let value = member("transactionNumberStart", of: root) else { return nil }
        let range = StoreEnvironment.sandbox.transactionNumbers
        guard let number = value.integer, range.contains(number),
            number <= range.upperBound - Int64(purchases)
        else {
            throw failure(
                "is not a whole number of the sandbox's, \(range.lowerBound) to "
                    + "\(range.upperBound)", at: .root.appending("transactionNumberStart"))
        }
        return number
    }

    private func accounts(of root: JSONValue) throws -> [WorldSeed.Account] {
        var accounts: [WorldSeed.Account] = []
        var names: [String: JSONPath] = [:]
        var passwords: Set<String> = []
        for (item, path) in try objects(
            "accounts", of: root, countMax: WorldSeed.accountsMax,
            keys: [
                "name", "password", "storefront", "environment", "needsApproval",
                "interruptsPurchases", "failsRenewals", "credit",
            ])
        {
            let account = try account(item, at: path)
            let name = "\(account.environment.rawValue)\n\(account.name)"
            if let first = names.updateValue(path, forKey: name) {
                throw failure("is taken by \(first)", at: path.appending("name"))
            }
            if let password = account.password { passwords.insert(password) }
            guard passwords.count <= WorldSeed.passwordsMax else {
                throw failure(
                    "is one too many: a seed has at most \(WorldSeed.passwordsMax) different "
                        + "passwords", at: path.appending("password"))
            }
            accounts.append(account)
        }
        return accounts
    }

    private func account(_ item: JSONValue, at path: JSONPath) throws -> WorldSeed.Account {
        let name = try checking(path.appending("name")) {
            try checked(
                try required("name", of: item, at: path), "it",
                bytesMax: Limits.accountNameBytesMax)
        }
        let password = try text("password", of: item, at: path).map { password in
            try checking(path.appending("password")) { try checkedPassword(password) }
        }
        let country = try text("storefront", of: item, at: path)
        let place = try checking(path.appending("storefront")) { try storefront(country) }
        let environment = try text("environment", of: item, at: path) ?? "sandbox"
        guard let environment = StoreEnvironment(rawValue: environment) else {
            throw failure(
                "is not \"sandbox\" or \"production\"", at: path.appending("environment"))
        }
        let settings = AccountSettings(
            needsApproval: try flag("needsApproval", of: item, at: path) ?? false,
            interruptsPurchases: try flag("interruptsPurchases", of: item, at: path) ?? false,
            failsRenewals: try flag("failsRenewals", of: item, at: path) ?? false)
        return WorldSeed.Account(
            environment: environment, name: name, password: password, storefront: place,
            settings: settings,
            creditMilliunits: try credit(of: item, at: path, in: place.currency))
    }
}
