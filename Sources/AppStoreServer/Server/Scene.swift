import Dispatch
package import StoreHTTP
package import StoreLog
package import StoreModel
import StoreDatabase
package import StoreSigning
import StoreService
import StoreWire

/// Where a request arrived: its world, its environment when it is below one, and the store's
/// shared parts.
package struct Scene: ServiceContext {
    package let world: World
    /// Nil below `/control`.
    package let environment: StoreEnvironment?
    package let parts: StoreParts
    package let content: ContentStore
    package let log: Log

    /// Answers with what the body gives, or with what its error means.
    func answer(_ responder: Responder, _ body: () throws -> HTTPResponse) {
        do {
            responder.send(try body())
        } catch {
            responder.send(response(for: error))
        }
    }

    /// Runs a body that answers later; an error it throws is answered at once.
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

    /// What an error means to whoever asked; what is not their doing is logged.
    static func response(for error: any Error, log: Log) -> HTTPResponse {
        if let refusal = error as? Refusal { return refusal.response }
        log.event(StoreEvent.requestFailed, ("why", .text("\(error)")))
        let broken = Refusal(500, "internal", "The store failed; its log says why.").response
        guard let failure = error as? DatabaseError else { return broken }
        // Only of what may pass is a client told to come again.
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

    /// The environment of a request that is below one.
    func placed() throws -> StoreEnvironment {
        guard let environment else { throw Refusal.notFound }
        return environment
    }

    /// The session of the device that asks; 401 without a token that is good here and now.
    func session(_ request: HTTPRequest) throws -> DeviceSession {
        guard let token = request.headers.bearerToken else { throw Refusal.tokenUnknown }
        let digest = sha256(Array(token.utf8))
        let environment = try placed()
        let realNow = world.time.real()
        let session = try world.database.read { scope in
            try scope.deviceSession(tokenDigest: digest, in: environment, realNow: realNow)
        }
        guard let session else { throw Refusal.tokenUnknown }
        return session
    }

    /// The session and account of a device on which somebody is signed in; 401 otherwise.
    func signedIn(_ request: HTTPRequest) throws -> (session: DeviceSession, account: Account) {
        let session = try session(request)
        guard let account = session.account else {
            throw Refusal(401, "notSignedIn", "Nobody is signed in on this device.")
        }
        return (session, account)
    }
}

/// What all worlds of a store share.
package final class StoreParts: Sendable {
    package let keys: KeyStore
    package let verifier: ReceiptVerifier
    package let transactionVerifier: TransactionReceiptVerifier
    package let passwords: PasswordWorkers
    package let polls: Gate
    private let largeBodies = DispatchQueue(label: "store.large-bodies")
    private let largeReceipts = DispatchQueue(label: "store.large-receipts")

    package init(keys: KeyStore) {
        self.keys = keys
        verifier = keys.receiptVerifier()
        transactionVerifier = keys.transactionReceiptVerifier()
        passwords = PasswordWorkers()
        polls = Gate(limit: Limits.pollsMax)
    }

    /// What takes long, by who asks for it.
    enum LargeWork {
        /// A large body, which anybody may send.
        case body
        /// A receipt of many purchases, for the device of an account; strangers' bodies do not keep
        /// it waiting.
        case receipt
    }

    /// Runs what takes long because a body or a receipt is large, one of a kind after the other, so
    /// that each kind takes one core of those that purchases need. The listener's memory for large
    /// bodies and its connections bound how many wait; of those that waited too long for an answer
    /// nothing is run.
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
