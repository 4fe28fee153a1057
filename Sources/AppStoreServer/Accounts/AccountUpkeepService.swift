import CrashPoints
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreWire

/// What the owner does to one account: lock, unlock, a new password, signing out everywhere.
///
/// All of them take the account's sessions in the commit that changes it, and end its polls.
enum AccountUpkeepService {
    static func lock(_ call: StoreCall, _ body: LockAccountBody) async throws -> AccountBody {
        let reason = try checkedReason(body.reason ?? "")
        if let until = body.until, until <= call.world.time.real() {
            throw Refusal(
                422, "badField",
                "until is \(CalendarDate(until).rfc3339), which is in the past; leave it out for a "
                    + "lock without an end.")
        }
        return try await change(call, body.named, event: .accountLocked) { scope, account in
            try scope.setLock(AccountLock(reason: reason, until: body.until), of: account.id)
            try scope.deleteTokens(of: account.id)
        }
    }

    /// `POST /control/v1/accounts/unlock`: ends a lock, even one that wrong passwords caused, and
    /// those of the devices on which they were typed.
    static func unlock(_ call: StoreCall, _ body: NamedAccountBody) async throws -> AccountBody {
        let realNow = call.world.time.real()
        return try await change(call, body, event: .accountUnlocked) { scope, account in
            try scope.setLock(nil, of: account.id)
            try scope.saveSignInRecord(.clean, of: account.id)
            try scope.unlockDevices(thatGuessedAt: account, realNow: realNow)
        }
    }

    /// `POST /control/v1/accounts/password`: ends every session that the old one opened.
    static func resetPassword(_ call: StoreCall, _ body: ResetPasswordBody) async throws
        -> AccountBody
    {
        let password = try checkedPassword(body.password)
        _ = try call.world.database.read { try find(body.named, $0) }
        let hash = try await call.parts.passwords.run(for: "\(call.world.id)/\(body.name)") {
            try PasswordHash.make(password)
        }
        let realNow = call.world.time.real()
        return try await change(call, body.named, event: .passwordReset) { scope, account in
            try scope.setPasswordHash(hash, of: account.id)
            try scope.saveSignInRecord(.clean, of: account.id)
            try scope.unlockDevices(thatGuessedAt: account, realNow: realNow)
            try scope.deleteTokens(of: account.id)
        }
    }

    /// `POST /control/v1/accounts/sign-out`: on every device.
    static func signOut(_ call: StoreCall, _ body: NamedAccountBody) async throws -> AccountBody {
        try await change(call, body, event: .accountSignedOut) { scope, account in
            try scope.deleteTokens(of: account.id)
        }
    }

    /// `POST /control/v1/accounts/storefront`: the customer moved to another country.
    ///
    /// Past purchases stay as they were; apps in which the account is signed in are notified.
    static func setStorefront(_ call: StoreCall, _ body: SetStorefrontBody) async throws
        -> AccountBody
    {
        let place = try storefront(body.storefront)
        let time = call.world.time
        return try await change(call, body.named, event: .storefrontChanged) { scope, account in
            guard account.storefront != place else { return }
            try scope.setStorefront(place, of: account.id)
            let now = time.recordNow()
            for app in try scope.reading.appsSignedIn(account.id) {
                try scope.record(
                    .storefrontChanged(place), for: account.id, in: app, account.environment,
                    at: now)
            }
        }
    }

    /// Changes an account in one commit and answers with the result.
    static func change(
        _ call: StoreCall, _ named: NamedAccountBody, event: StoreEvent,
        _ body: @escaping @Sendable (borrowing WriteScope, Account) throws -> Void
    ) async throws -> AccountBody {
        let realNow = call.world.time.real()
        let changed = try await call.context.commit { scope in
            let account = try find(named, scope.reading)
            try body(scope, account)
            let overview = try scope.reading.accountOverview(of: account.id, realNow: realNow)
            return (account: account, overview: overview)
        }
        // Polls look at their token again when they end.
        call.world.updates.wake(changed.account.id)
        call.log.event(event, ("account", .number(changed.account.id.rawValue)))
        guard let overview = changed.overview else { throw Refusal.notFound }
        return AccountBody(overview, realNow: realNow)
    }

    /// `POST /control/v1/accounts/delete`: a repeated request gets the same answer.
    static func delete(_ call: StoreCall, _ body: DeleteAccountBody) async throws
        -> DeletedAccountBody
    {
        let deletion = AccountDeletion(
            of: body.named, request: try checkedUUID(body.requestId, "requestId"))
        let time = call.world.time
        let outcome = try await call.context.commit { scope in
            try deletion.carryOut(scope, time: time)
        }
        CrashPoint.storeAccountDeleted.reach()
        if outcome.isNew {
            call.world.renewals.wake()
            call.world.updates.wake(outcome.account.id)
            call.log.event(
                StoreEvent.accountDeleted, ("account", .number(outcome.account.id.rawValue)))
        }
        return DeletedAccountBody(
            environment: outcome.account.environment, account: outcome.account.name,
            deletedAt: outcome.deletedAt, balances: outcome.balances.map { BalanceBody($0) })
    }

    /// The account of a name; 404 when there is none. Only history is asked of a deleted one.
    static func find(
        _ named: NamedAccountBody, evenDeleted: Bool = false, _ scope: borrowing ReadScope
    ) throws -> Account {
        let environment = named.environment ?? .sandbox
        if evenDeleted, let gone = try scope.deletedAccount(named.name, in: environment) {
            return gone.account
        }
        guard let secret = try scope.accountSecret(named.name, in: environment) else {
            throw Refusal.accountUnknown(named)
        }
        return secret.account
    }

    private static func checkedReason(_ text: String) throws -> String {
        text.isEmpty ? "" : try checked(text, "reason", bytesMax: Limits.lockReasonBytesMax)
    }
}

extension Refusal {
    static func accountUnknown(_ named: NamedAccountBody) -> Refusal {
        Refusal(
            404, "accountUnknown",
            "There is no account \"\(named.name.prefix(Limits.accountNameBytesMax))\" in the "
                + "\((named.environment ?? .sandbox).rawValue) environment.")
    }
}

/// A password that an account may have; 422 otherwise.
func checkedPassword(_ password: String) throws -> String {
    guard password.count >= AccountService.passwordCharactersMin,
        password.utf8.count <= Limits.passwordBytesMax
    else {
        throw Refusal(
            422, "badField",
            "password must have at least \(AccountService.passwordCharactersMin) characters and "
                + "at most \(Limits.passwordBytesMax) bytes.")
    }
    return password
}

extension AccountBody {
    init(_ overview: AccountOverview, realNow: Timestamp) {
        self.init(
            environment: overview.account.environment, name: overview.account.name,
            storefront: overview.account.storefront.countryCode,
            devicesSignedIn: overview.devicesSignedIn,
            lock: AccountLockBody(overview, realNow: realNow), settings: overview.settings,
            deletedAt: overview.deletedAt)
    }
}

extension AccountLockBody {
    /// Nil when nothing locks the account now.
    fileprivate init?(_ overview: AccountOverview, realNow: Timestamp) {
        if let lock = overview.lock, lock.holds(at: realNow) {
            self.init(by: .owner, reason: lock.reason, until: lock.until)
        } else if SignInRules.secondsLocked(overview.record, now: realNow) != nil {
            self.init(
                by: .wrongPasswords, reason: "too many wrong passwords",
                until: overview.record.lockedUntil)
        } else {
            return nil
        }
    }
}
