import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning
import StoreWire

/// An app's server at the App Store Server API, once its token was checked.
struct ServerAPICaller: Sendable {
    let maker: SignedDataMaker

    var app: AppRow { maker.app }
    var environment: StoreEnvironment { maker.environment }

    /// The caller of a request; throws a `ServerTokenRefusal`.
    init(_ call: StoreCall, _ scope: borrowing ReadScope) throws {
        guard let text = call.request.headers.bearerToken else {
            throw ServerTokenRefusal("there is none")
        }
        let (world, now) = (call.world, call.world.time.real())
        let environment = try call.context.placed()
        func maker(_ app: AppRow, _ scope: borrowing ReadScope) throws -> SignedDataMaker {
            try SignedDataMaker(app: app, environment: environment, now: world.time.now(), scope)
        }
        if let known = world.serverTokens.known(text, at: now),
            let app = try scope.app(bundleID: known.bundleID),
            try scope.offerKey(known.key.id, of: app.id)?.key == known.key
        {
            self.maker = try maker(app, scope)
            call.context.watch?.sender(app: app.bundleID)
            return
        }
        let token = try world.serverTokens.read(text)
        guard let app = try scope.app(bundleID: token.bundleID) else {
            throw ServerTokenRefusal("the world has no app \(token.bundleID.prefix(255))")
        }
        let ring = try scope.offerKeyRing(of: app.id, bundleID: app.bundleID)
        _ = try world.serverTokens.verify(token, text, ring, at: now)
        self.maker = try maker(app, scope)
        call.context.watch?.sender(app: app.bundleID)
    }

    /// The transaction of a number in a path, of this app and environment; those of others are as
    /// unknown as those that do not exist.
    func transaction(
        _ text: String, _ scope: borrowing ReadScope,
        malformed: ServerAPIError = .invalidTransactionID,
        unknown: ServerAPIError = .transactionIDNotFound
    ) throws -> StoreTransaction {
        let number = try number(text, else: malformed)
        guard let found = try scope.transaction(TransactionID(number)), isOurs(found) else {
            if try scope.owner(of: AppTransactionID(number), in: app.id, environment) != nil {
                throw ServerAPIError.appTransactionIDNotSupported
            }
            throw unknown
        }
        if try scope.isDeleted(found.account) { throw unknown }
        return found
    }

    /// The account whose transaction or app transaction has a number in a path.
    func account(_ text: String, _ scope: borrowing ReadScope) throws -> AccountID {
        let number = try number(text, else: .invalidTransactionID)
        let found = try scope.transaction(TransactionID(number)).flatMap { isOurs($0) ? $0 : nil }
        let sold = try found.flatMap { try scope.isRemains($0.account) ? nil : $0 }
        let account =
            try sold?.account
            ?? scope.owner(of: AppTransactionID(number), in: app.id, environment)
        guard let account else { throw ServerAPIError.transactionIDNotFound }
        if try scope.isDeleted(account) { throw ServerAPIError.accountNotFound }
        return account
    }

    /// The members with which answers name the app; in production with its number.
    func writeApp(to json: inout JSONWriter) {
        if environment == .production { json.member("appAppleId", app.number.rawValue) }
        json.member("bundleId", app.bundleID)
    }

    func isOurs(_ transaction: StoreTransaction) -> Bool {
        transaction.app == app.id && transaction.environment == environment
    }

    /// Digits alone: neither signs nor blanks, nor zeros in front.
    private func number(_ text: String, else malformed: ServerAPIError) throws -> Int64 {
        guard let number = Int64(text), number > 0, "\(number)" == text else { throw malformed }
        return number
    }
}
