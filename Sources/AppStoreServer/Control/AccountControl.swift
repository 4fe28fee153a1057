import StoreLog
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning
import StoreWire

/// Makes and lists accounts.
enum AccountControl {
    /// Characters an account's password has at least.
    static let passwordCharactersMin = 8

    /// `GET /control/v1/accounts`
    static func list(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.answer(responder) {
            let realNow = scene.world.time.real()
            let accounts = try scene.world.database.read {
                try $0.accountOverviews(realNow: realNow)
            }
            return .json(
                try WireJSON.encode(
                    AccountsBody(accounts: accounts.map { AccountBody($0, realNow: realNow) })))
        }
    }

    /// `POST /control/v1/accounts`
    static func make(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.attempt(responder) {
            let body = try request.decoded(MakeAccountBody.self)
            let name = try checked(body.name, "name", bytesMax: Limits.accountNameBytesMax)
            let password = try checkedPassword(body.password)
            let storefront = try storefront(body.storefront)
            try scene.parts.passwords.run(for: "\(scene.world.id)/\(name)") {
                scene.attempt(responder) {
                    let hash = try PasswordHash.make(password)
                    save(body, as: name, storefront, hash, scene, responder)
                }
            }
        }
    }

    private static func save(
        _ body: MakeAccountBody, as name: String, _ storefront: Storefront, _ hash: String,
        _ scene: Scene, _ responder: Responder
    ) {
        let now = scene.world.time.now()
        let environment = body.environment
        let settings = AccountSettings(
            needsApproval: body.needsApproval ?? false, interruptsPurchases: false)
        scene.commit(responder) { scope in
            let id = try scope.addAccount(
                name, in: environment, storefront: storefront, passwordHash: hash, now: now)
            guard let id else {
                throw Refusal(409, "nameTaken", "There is an account \"\(name)\" already.")
            }
            try scope.setSettings(settings, of: id)
            return Account(id: id, environment: environment, name: name, storefront: storefront)
        } then: { account in
            scene.log.event(StoreEvent.accountMade, ("account", .number(account.id.rawValue)))
            return .json(try WireJSON.encode(AccountBody(account, settings)), status: 201)
        }
    }
}

/// The storefront of a country code, or a refusal that says what a code looks like.
func storefront(_ countryCode: String?) throws -> Storefront {
    guard let countryCode else { return .default }
    guard let storefront = Storefront(countryCode: countryCode) else {
        let known = Storefront.all.map(\.countryCode).joined(separator: " ")
        throw Refusal(
            422, "storefrontUnknown",
            "\"\(countryCode.prefix(16))\" is no storefront of this store; there are \(known).")
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
