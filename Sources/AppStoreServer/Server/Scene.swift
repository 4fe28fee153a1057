import Dispatch
package import StoreHTTP
package import StoreLog
package import StoreModel
import StoreDatabase
package import StoreSigning
import StoreVerification
import StoreService
import StoreWire

/// A request's place: its world, its environment when it has one, and the store's shared parts.
package struct Scene: ServiceContext {
    package let world: World
    /// Nil below `/control`.
    package let environment: StoreEnvironment?
    package let parts: StoreParts
    package let content: ContentStore
    package let log: Log
    /// The inspector's view of the request; nil when it is not kept.
    var watch: RequestWatch?

    /// Answers with the body's result, or with the response to its error.
    func answer(_ responder: Responder, _ body: () throws -> HTTPResponse) {
        do {
            responder.send(try body())
        } catch {
            responder.send(response(for: error))
        }
    }

    /// Runs a body that answers later; answers an error that it throws at once.
    func attempt(_ responder: Responder, _ body: () throws -> Void) {
        do { try body() } catch { responder.send(response(for: error)) }
    }

    /// Writes in one commit, then answers.
    func commit<Value: Sendable>(
        _ responder: Responder,
        _ body: @escaping @Sendable (borrowing WriteScope) throws -> Value,
        then answer: @escaping @Sendable (Value) throws -> HTTPResponse
    ) {
        world.database.write(body) { result in
            self.answer(responder) { try answer(try result.get()) }
        }
    }

    /// Writes in one commit, and waits for it.
    func commit<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing WriteScope) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            world.database.write(body) { continuation.resume(with: $0) }
        }
    }

    package func response(for error: any Error) -> HTTPResponse {
        Self.response(for: error, log: log)
    }

    /// The response to an error; one that the client did not cause is logged.
    static func response(for error: any Error, log: Log) -> HTTPResponse {
        if let refusal = error as? Refusal { return refusal.response }
        log.event(StoreEvent.requestFailed, ("why", .text("\(error)")))
        let broken = Refusal(500, "internal", "The store failed; its log says why.").response
        guard let failure = error as? DatabaseError else { return broken }
        // A client is asked to try again only after a temporary error.
        return switch failure.code {
        case .unavailable: Refusal.busy.response
        case .diskFull:
            Refusal(
                503, "diskFull", "The store's disk is full; nothing was changed.",
                retryAfterSeconds: 5
            ).response
        case .inputOutput:
            Refusal(
                503, "storage", "The store could not write or read; nothing was changed.",
                retryAfterSeconds: 5
            ).response
        case .constraint, .notADatabase, .olderSchema, .newerSchema, .other: broken
        }
    }

    /// The same place in one of the world's environments.
    func placed(in environment: StoreEnvironment) -> Scene {
        Scene(
            world: world, environment: environment, parts: parts, content: content, log: log,
            watch: watch)
    }

    /// The environment of a request that is below one.
    func placed() throws -> StoreEnvironment {
        guard let environment else { throw Refusal.notFound }
        return environment
    }

    /// The requesting device's session; 401 without a token that is valid here and now.
    func session(_ request: HTTPRequest) throws -> DeviceSession {
        guard let token = request.headers.bearerToken else { throw Refusal.tokenUnknown }
        return try session(ofToken: token)
    }

    private func session(ofToken token: some StringProtocol) throws -> DeviceSession {
        let digest = sha256(Array(token.utf8))
        let environment = try placed()
        let realNow = world.time.real()
        let session = try world.database.read { scope in
            try scope.deviceSession(tokenDigest: digest, in: environment, realNow: realNow)
        }
        guard let session else { throw Refusal.tokenUnknown }
        watch?.sender(session)
        return session
    }

    /// The session and account of a signed-in device; 401 when nobody is signed in.
    func signedIn(_ request: HTTPRequest) throws -> (session: DeviceSession, account: Account) {
        try Self.signedIn(try session(request))
    }

    /// The same for a token that does not stand in the request's head.
    func signedIn(
        byToken token: String
    ) throws -> (session: DeviceSession, account: Account) {
        try Self.signedIn(try session(ofToken: token))
    }

    private static func signedIn(
        _ session: DeviceSession
    ) throws -> (session: DeviceSession, account: Account) {
        guard let account = session.account else {
            throw Refusal(401, "notSignedIn", "Nobody is signed in on this device.")
        }
        return (session, account)
    }
}

/// The parts that all worlds of a store share.
package final class StoreParts: Sendable {
    package let keys: KeyStore
    package let verifier: ReceiptVerifier
    package let transactionVerifier: TransactionReceiptVerifier
    let dataVerifier: SignedDataVerifier
    package let passwords: PasswordWorkers
    /// Wrong passwords by address, of devices where the account never signed in.
    let guesses = TokenBuckets<[UInt8]>(
        atOnceMax: Limits.guessesAtOnceMax, perMinuteMax: Limits.guessesPerMinuteMax,
        callersMax: Limits.guessersMax)
    package let polls: Gate
    /// For owners who wait for the history to go on; they take no device's place.
    let watchers = Gate(limit: Limits.watchersMax)
    /// The latest requests; nil when they are not kept.
    package let inspector: Inspector?
    /// Requests with many devices whose news are still to be looked for.
    let newsWaits = Gate(limit: Limits.newsWaitsQueuedMax)
    private let largeBodies = DispatchQueue(label: "store.large-bodies")
    private let largeReceipts = DispatchQueue(label: "store.large-receipts")

    package init(keys: KeyStore, inspector: Inspector? = nil) {
        self.keys = keys
        self.inspector = inspector
        verifier = keys.receiptVerifier()
        transactionVerifier = keys.transactionReceiptVerifier()
        dataVerifier = keys.dataVerifier()
        passwords = PasswordWorkers()
        polls = Gate(limit: Limits.pollsMax, annexLimit: Limits.pollsOverTLSMax)
    }

    /// Kinds of slow work, by the client that causes it.
    enum LargeWork {
        /// A large body, which anyone may send.
        case body
        /// A receipt of many purchases, for the device of an account; strangers' bodies do not
        /// delay it.
        case receipt
    }

    /// Signs for a request that is answered later: neither the threads of all such requests nor the
    /// writer's do.
    func sign<Signed: Sendable>(
        isLarge: Bool, _ body: @escaping @Sendable () -> Signed
    ) async -> Signed {
        let queue = isLarge ? largeReceipts : .global()
        return await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }

    /// Runs slow work on a large body or receipt, one of each kind at a time, so that each kind
    /// takes at most one core from purchases. The listener's memory for large bodies and its
    /// connections bound how many wait; requests that waited too long are not run.
    func runLarge(
        _ work: LargeWork, _ responder: Responder, _ body: @escaping @Sendable () -> Void
    ) {
        let queue =
            switch work {
            case .body: largeBodies
            case .receipt: largeReceipts
            }
        queue.async {
            guard !responder.isAnswered else { return }
            body()
        }
    }
}
