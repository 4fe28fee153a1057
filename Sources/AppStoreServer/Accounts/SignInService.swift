import StoreLog
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreWire

/// Signing in and out on a device.
enum SignInService {
    /// `POST /device/v1/sign-in`
    static func signIn(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.attempt(responder) {
            let session = try scene.session(request)
            let body = try request.decoded(SignInBody.self)
            if session.environment == .sandbox, body.from == .settings {
                throw Refusal.testAccountInSettings
            }
            let name = try checked(
                body.account, "account", bytesMax: Limits.accountNameBytesMax)
            guard (1...Limits.passwordBytesMax).contains(body.password.utf8.count) else {
                throw Refusal(
                    422, "badField", "password must have 1 to \(Limits.passwordBytesMax) bytes.")
            }
            let guess = SignInGuess(
                name: name, password: body.password, session: session, peer: request.peer)
            // A guess that cannot count takes no place.
            let facts = try admit(guess, in: scene)
            scene.parts.passwords.start(
                for: "\(scene.world.id)/\(name)", by: facts.caller(guess, in: scene)
            ) {
                responder.send($0.response)
            } _: {
                scene.attempt(responder) { try check(guess, in: scene, responder) }
            }
        }
    }

    /// Throws while the device, the name or the address is locked; otherwise the guess's facts.
    private static func admit(_ guess: SignInGuess, in scene: Scene) throws -> SignInFacts {
        let now = scene.world.time.real()
        let facts = try scene.world.database.read { scope in
            try SignInFacts(of: guess, in: try scene.placed(), realNow: now, scope)
        }
        if let seconds = SignInRules.secondsLocked(
            device: facts.deviceRecord, name: facts.nameRecord, isKnown: facts.isKnown, now: now)
        {
            throw Refusal(
                423, "accountLocked",
                "Too many wrong passwords; try again in \(seconds) seconds.",
                retryAfterSeconds: seconds)
        }
        if !facts.isKnown, let network = guess.peer.network,
            let seconds = scene.parts.guesses.wait(network, atMilliseconds: now.milliseconds)
        {
            throw Refusal(
                429, "tooManyGuesses",
                "Too many wrong passwords from this address; try again in \(seconds) seconds.",
                retryAfterSeconds: seconds)
        }
        return facts
    }

    /// Checks the password and answers; on a worker's thread.
    private static func check(
        _ guess: SignInGuess, in scene: Scene, _ responder: Responder
    ) throws {
        // Its client was told to come back.
        guard !responder.isAnswered else { return }
        let facts = try admit(guess, in: scene)
        // A password is checked in every case, so that the time reveals nothing: neither whether
        // there is such an account, nor whether it has a password.
        let matches = PasswordHash.matches(
            guess.password, facts.secret?.passwordHash ?? PasswordWorkers.hashOfNobody)
        guard let secret = facts.secret, matches else {
            try countFailure(guess, facts, in: scene)
            throw Refusal.passwordWrong
        }
        // Only someone who knows the password learns that the account is of the other kind.
        guard secret.account.environment == guess.session.environment else {
            throw Refusal.ofOtherEnvironment(secret.account)
        }
        admit(secret, on: guess.session, in: scene, responder)
    }

    /// A name that no account has takes the same work, so that neither the answer nor its time
    /// reveals which names are taken.
    private static func countFailure(
        _ guess: SignInGuess, _ facts: SignInFacts, in scene: Scene
    ) throws {
        let now = scene.world.time.real()
        let ofName = SignInRules.afterFailure(
            facts.nameRecord, failuresMax: SignInRules.nameFailuresMax, now: now)
        try scene.world.database.write { scope in
            try scope.countGuess(
                atName: facts.nameDigest, onDevice: guess.session.device, realNow: now)
            if facts.isKnown { return }
            if let secret = facts.secret {
                try scope.saveSignInRecord(ofName, of: secret.account.id)
            } else {
                try scope.saveUnknownName(digest: facts.nameDigest, ofName, realNow: now)
            }
        }
        if !facts.isKnown, let network = guess.peer.network {
            _ = scene.parts.guesses.take(network, atMilliseconds: now.milliseconds)
        }
        scene.log.event(
            StoreEvent.signInRefused,
            ("account", .number(facts.secret?.account.id.rawValue ?? 0)))
    }

    private static func admit(
        _ secret: AccountSecret, on session: DeviceSession, in scene: Scene,
        _ responder: Responder
    ) {
        let account = secret.account
        let token = DeviceService.makeToken()
        let time = scene.world.time
        let now = time.real()
        scene.commit(responder) { scope in
            try scope.requireToken(of: session)
            try checkStill(secret, now: now, scope)
            try scope.saveSignInRecord(.clean, of: account.id)
            try scope.forgetGuesses(at: account, onDevice: session.device)
            try scope.retireToken(
                digest: session.tokenDigest,
                by: now.adding(milliseconds: Limits.replacedTokenMilliseconds))
            try open(
                account, on: session.device, of: session.app, version: session.appVersion,
                token: token.digest, time: time, scope)
        } then: { _ in
            scene.log.event(StoreEvent.signedIn, ("account", .number(account.id.rawValue)))
            endPolls(of: session, butOf: account.id, in: scene)
            return try DeviceService.answer(
                token: token.text, account: account, storefront: session.appStorefront, in: scene)
        }
    }

    /// Opens an account's session on a device of an app, in place of any other account's.
    static func open(
        _ account: Account, on device: DeviceID, of app: AppID, version: String, token: [UInt8],
        time: WorldTime, _ scope: borrowing WriteScope
    ) throws {
        try scope.rememberSignIn(of: account.id, on: device)
        try scope.deleteSignedInTokens(of: device, but: account.id)
        try scope.addAppTransaction(of: account, in: app, version: version, at: time.now())
        try scope.addToken(
            digest: token, device: device, account: account.id,
            expires: time.real().adding(milliseconds: Limits.tokenMilliseconds))
    }

    /// Throws when the password was reset while it was being checked, and when the owner has locked
    /// the account: only someone who knows the password learns that.
    private static func checkStill(
        _ secret: AccountSecret, now: Timestamp, _ scope: borrowing WriteScope
    ) throws {
        let account = secret.account
        let present = try scope.reading.accountSecret(account.name, in: account.environment)
        guard let present, present.passwordHash == secret.passwordHash else {
            throw Refusal.passwordWrong
        }
        if let lock = present.lock, lock.holds(at: now) { throw Refusal(lock, realNow: now) }
    }

    /// `POST /device/v1/sign-out`
    static func signOut(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.attempt(responder) {
            let session = try scene.session(request)
            let token = DeviceService.makeToken()
            let expires = scene.world.time.real().adding(milliseconds: Limits.tokenMilliseconds)
            scene.commit(responder) { scope in
                try scope.requireToken(of: session)
                try scope.deleteToken(digest: session.tokenDigest)
                try scope.deleteSignedInTokens(of: session.device, but: nil)
                try scope.addToken(
                    digest: token.digest, device: session.device, account: nil, expires: expires)
            } then: { _ in
                scene.log.event(StoreEvent.signedOut)
                endPolls(of: session, in: scene)
                return try DeviceService.answer(
                    token: token.text, account: nil, storefront: session.appStorefront, in: scene)
            }
        }
    }
}

extension SignInService {
    /// Ends the polls of an account that is no longer signed in: its app learns that now, and not
    /// when the wait ends.
    private static func endPolls(
        of session: DeviceSession, butOf kept: AccountID? = nil, in scene: Scene
    ) {
        guard let before = session.account?.id, before != kept else { return }
        scene.world.updates.wake(before)
    }
}

extension Refusal {
    fileprivate static let testAccountInSettings = Refusal(
        403, "testAccountInSettings",
        "The sandbox has test accounts only. They do not sign in in the device's settings; use "
            + "them on the payment sheet, when an app asks for one.")

    fileprivate static func ofOtherEnvironment(_ account: Account) -> Refusal {
        switch account.environment {
        case .sandbox:
            Refusal(
                403, "testAccount",
                "This is a test account, which works in the sandbox only: sign out in the "
                    + "device's settings, and use it on the payment sheet of an app that buys in "
                    + "the sandbox.")
        case .production:
            Refusal(
                403, "realAccount",
                "This is a real account, which does not work in the sandbox: use a test account.")
        }
    }

    fileprivate static let passwordWrong = Refusal(
        401, "passwordWrong", "The account name or the password is wrong.")

    /// The refusal for someone who knows the password of a locked account, and for its owner.
    init(_ lock: AccountLock, realNow: Timestamp) {
        let reason = lock.reason.isEmpty ? "." : ": \(lock.reason)"
        let end = lock.until.map { " It can be used again from \(CalendarDate($0).rfc3339)." }
        let seconds = lock.until.map { ($0.milliseconds - realNow.milliseconds + 999) / 1_000 }
        self.init(
            423, "accountLocked", "This account is locked\(reason)\(end ?? "")",
            retryAfterSeconds: seconds)
    }
}
