import Dispatch
import StoreDatabase
import StoreHTTP
import StoreService

/// One request on its way through the backend.
struct BackendScene: ServiceContext {
    let request: HTTPRequest
    let responder: Responder
    let parts: BackendParts

    /// The user whose token the request carries.
    func user() throws -> BackendUserID { try parts.accounts.user(of: request) }

    /// Answers with the result of the body, or for its error.
    func answer(_ facts: [BackendFact] = [], _ body: () throws -> HTTPResponse) {
        attempt(facts) { responder.send(try body()) }
    }

    /// Answers from a worker of a pool.
    func answer(
        on pool: WorkerPool, in lane: PasswordLane,
        _ body: @escaping @Sendable () throws -> HTTPResponse
    ) throws {
        guard let seat = pool.takeSeat(in: lane.rawValue) else { throw Refusal.busy }
        pool.start(seat) { answer([], body) }
    }

    /// Writes in one commit, then answers.
    func commit<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing WriteScope) throws -> Value,
        then answer: @escaping @Sendable (Value) throws -> HTTPResponse
    ) {
        parts.database.write(body) { result in self.answer { try answer(try result.get()) } }
    }

    /// Runs the body; answers an error that it throws.
    private func attempt(_ facts: [BackendFact], _ serve: () throws -> Void) {
        do { try serve() } catch { responder.send(response(for: error, facts)) }
    }

    package func response(for error: any Error) -> HTTPResponse { response(for: error, []) }

    /// The answer for an error; a failure that is not the client's fault is logged, with its facts.
    private func response(for error: any Error, _ facts: [BackendFact]) -> HTTPResponse {
        if let refusal = error as? Refusal { return refusal.answer }
        parts.log(.requestFailed, [.request(request.id)] + facts + [.detail("\(error)")])
        return Refusal(of: error).answer
    }

    /// Reads the body and answers: a large one is read away from the listener's threads, one at a
    /// time, and only while the client waits for the answer.
    func read(_ serve: @escaping @Sendable () throws -> Void) {
        guard request.body.count > BackendLimits.quickBodyMax else {
            return attempt([], serve)
        }
        parts.reading.async {
            guard !responder.isAnswered else { return }
            attempt([], serve)
        }
    }
}
