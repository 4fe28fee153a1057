import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreSigning
import StoreWire

/// Signs users up, in and out.
struct AccountService: Sendable {
    let database: Database
    /// Where passwords are hashed, away from the listener's threads.
    let pool: WorkerPool
    let guesses: GuessGuard
    let signUps = TokenBucket(
        atOnceMax: BackendLimits.signUpsAtOnceMax, perMinuteMax: BackendLimits.signUpsPerMinuteMax)
    let tokens: TokenMint
    /// Checked against when there is no such user, so that both cases take the same time.
    let dummyHash: String
    let clock: WallClock
    let log: Log

    /// The user whose token a request carries.
    func user(of request: HTTPRequest) throws -> BackendUserID {
        guard let token = request.headers.bearerToken else { throw Refusal.notSignedIn }
        let now = clock.now()
        let user = try database.read { scope in
            try SessionRecords.user(scope, tokenHash: TokenMint.hash(token), now: now)
        }
        guard let user else { throw Refusal.notSignedIn }
        return user
    }

    /// `POST /v1/users`
    func signUp(_ scene: BackendScene) throws {
        let credentials = try UserCredentials(scene.request.body)
        try credentials.checkForSignUp()
        if let seconds = signUps.take(atMilliseconds: clock.now().milliseconds) {
            throw Refusal.tooManySignUps(seconds: Int(seconds))
        }
        try scene.answer(on: pool, in: .signUp) {
            let nameKey = credentials.nameKey
            guard try database.read({ try UserRecords.find($0, nameKey: nameKey) }) == nil else {
                throw Refusal.nameTaken
            }
            let now = clock.now()
            let user = UserRow(
                id: tokens.userID(), name: credentials.name, nameKey: nameKey,
                passwordHash: try PasswordHash.make(credentials.password), createdAt: now)
            let token = tokens.sessionToken()
            try database.write { scope in
                guard try UserRecords.insert(scope, user) else { throw Refusal.nameTaken }
                try SessionRecords.insert(
                    scope, tokenHash: TokenMint.hash(token), user: user.id, now: now)
            }
            log(.userCreated, .request(scene.request.id), .user(user.id))
            return try .json(
                encoding: BackendSessionBody(userId: user.id.rawValue, token: token), status: 201)
        }
    }

    /// `POST /v1/sessions`
    func signIn(_ scene: BackendScene) throws {
        let credentials = try UserCredentials(scene.request.body)
        let nameKey = credentials.nameKey
        let found = try database.read { try UserRecords.find($0, nameKey: nameKey) }
        let device = try knownDevice(scene.request, of: found)
        // A stranger's guesses lock the name for strangers, and not for the user's own devices.
        let guessed = device.map { "\(nameKey)\u{0}\(hexadecimal($0))" } ?? nameKey
        if case .locked(let seconds) = guesses.admit(guessed, now: clock.now()) {
            log(.signInLocked, .request(scene.request.id))
            throw Refusal.lockedOut(seconds: seconds)
        }
        let lane: PasswordLane =
            found == nil ? .unknownName : device == nil ? .knownName : .knownDevice
        do {
            try scene.answer(on: pool, in: lane) {
                try .json(
                    encoding: signIn(credentials, found, guessed, requestID: scene.request.id))
            }
        } catch {
            guesses.ended(guessed, isRight: nil, now: clock.now())
            throw error
        }
    }

    /// The digest of the token that a request carries, if it is or was one of the user's sessions.
    private func knownDevice(_ request: HTTPRequest, of user: UserRow?) throws -> [UInt8]? {
        guard let user, let token = request.headers.bearerToken else { return nil }
        let hash = TokenMint.hash(token)
        let owner = try database.read { try SessionRecords.owner($0, tokenHash: hash) }
        return owner == user.id ? hash : nil
    }

    /// `guessed` is what the guess counts for.
    private func signIn(
        _ credentials: UserCredentials, _ found: UserRow?, _ guessed: String, requestID: String
    ) throws -> BackendSessionBody {
        let isRight = PasswordHash.matches(
            credentials.password, found?.passwordHash ?? dummyHash)
        let now = clock.now()
        guesses.ended(guessed, isRight: isRight && found != nil, now: now)
        guard let user = found, isRight else {
            log(.signInRefused, .request(requestID))
            throw Refusal.wrongNameOrPassword
        }
        let token = tokens.sessionToken()
        try database.write { scope in
            try SessionRecords.insert(
                scope, tokenHash: TokenMint.hash(token), user: user.id, now: now)
        }
        log(.signedIn, .request(requestID), .user(user.id))
        return BackendSessionBody(userId: user.id.rawValue, token: token)
    }

    /// `DELETE /v1/sessions`: ends the session that the request carries.
    func signOut(_ scene: BackendScene) throws {
        let user = try scene.user()
        let hash = TokenMint.hash(scene.request.headers.bearerToken ?? "")
        scene.commit {
            try SessionRecords.end($0, tokenHash: hash)
        } then: {
            log(.signedOut, .request(scene.request.id), .user(user))
            return HTTPResponse(status: 204)
        }
    }
}
