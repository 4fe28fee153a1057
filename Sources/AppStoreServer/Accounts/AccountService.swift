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

    static func list(_ call: StoreCall) throws -> AccountsBody {
        let realNow = call.world.time.real()
        let accounts = try call.world.database.read {
            try $0.accountOverviews(realNow: realNow)
        }
        return AccountsBody(accounts: accounts.map { AccountBody($0, realNow: realNow) })
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
