import StoreLog
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning
import StoreWire

/// Makes and lists accounts.
enum AccountService {
    /// The fewest characters of an account's password.
    static let passwordCharactersMin = 8

    /// `GET /control/v1/accounts`
    static func list(_ call: StoreCall) throws -> AccountsBody {
        let order: ListOrder = try call.request.queryName("order") ?? .oldest
        let countMax = try call.request.limit(
            Limits.accountsPerAnswerMax, countMax: Limits.accountsPerAnswerMax)
        let after = try call.request.after()
        let filter = try AccountFilter(call.request)
        let realNow = call.world.time.real()
        return try call.world.database.read { scope in
            var end: Int64?
            let page = try Page(of: countMax) {
                let found = try scope.accounts(
                    filter, after: after == 0 ? nil : after, order, countMax: $0, realNow: realNow)
                end = found.end
                return found.accounts
            }
            return AccountsBody(
                accounts: page.items.map { AccountBody($0, realNow: realNow) },
                next: page.next(\.account.id.rawValue) ?? end)
        }
    }

    /// `GET /control/v1/accounts/details`
    static func show(_ call: StoreCall) throws -> AccountDetailsBody {
        let named = try call.request.queryAccount()
        let realNow = call.world.time.real()
        return try call.world.database.read { scope in
            let account = try AccountUpkeepService.find(named, evenDeleted: true, scope)
            guard let found = try scope.accountOverview(of: account.id, realNow: realNow) else {
                throw Refusal.accountUnknown(named)
            }
            let family = try scope.familyNumber(of: account.id).flatMap { try scope.family($0) }
            return AccountDetailsBody(
                account: AccountBody(found, realNow: realNow), madeAt: found.madeAt,
                balances: try scope.credits(of: account.id).map { BalanceBody($0) },
                devices: try scope.count(.devices, of: account.id),
                transactions: try scope.count(.sales, of: account.id),
                waitingPurchases: try scope.count(.waitingPurchases, of: account.id),
                subscriptions: try scope.subscriptionCounts(of: account.id),
                family: family.map { FamilyBody($0) })
        }
    }

    static func make(_ call: StoreCall, _ body: MakeAccountBody) async throws -> AccountBody {
        let name = try checked(body.name, "name", bytesMax: Limits.accountNameBytesMax)
        let password = try body.password.map { try checkedPassword($0) }
        let storefront = try storefront(body.storefront)
        var hash: String?
        if let password {
            hash = try await call.parts.passwords.run(for: "\(call.world.id)/\(name)") {
                try PasswordHash.make(password)
            }
        }
        let now = call.world.time.now()
        let environment = body.environment
        let settings = AccountSettings(
            needsApproval: body.needsApproval ?? false, interruptsPurchases: false)
        let account = try await call.context.commit { [hash] scope in
            let id = try scope.addAccount(
                name, in: environment, storefront: storefront, passwordHash: hash, now: now)
            guard let id else {
                throw Refusal(
                    409, "nameTaken", "The name \"\(name)\" is taken; choose another.")
            }
            try scope.setSettings(settings, of: id)
            return Account(id: id, environment: environment, name: name, storefront: storefront)
        }
        call.log.event(StoreEvent.accountMade, ("account", .number(account.id.rawValue)))
        return AccountBody(account, settings)
    }
}

/// The storefront of a country code, or a refusal that says what a code looks like.
func storefront(_ countryCode: String?) throws -> Storefront {
    guard let countryCode else { return .default }
    guard let storefront = Storefront(countryCode: countryCode) else {
        let known = Storefront.all.map(\.countryCode).joined(separator: " ")
        throw Refusal(
            422, "storefrontUnknown",
            "\"\(countryCode.prefix(16))\" is not a storefront of this store; use one of \(known).")
    }
    return storefront
}

extension AccountBody {
    /// An account that was made just now.
    init(_ account: Account, _ settings: AccountSettings) {
        self.init(
            environment: account.environment, name: account.name,
            storefront: account.storefront.countryCode, devicesSignedIn: 0, lock: nil,
            settings: settings)
    }
}
