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

    /// Answers with what the body gives, or with what its error means.
    func answer(_ facts: [BackendFact] = [], _ body: () throws -> HTTPResponse) {
        attempt(facts) { responder.send(try body()) }
    }

    /// Has a worker of a pool answer.
    func answer(on pool: WorkerPool, _ body: @escaping @Sendable () throws -> HTTPResponse) throws {
        guard let seat = pool.takeSeat() else { throw Refusal.busy }
        pool.start(seat) { answer([], body) }
    }

    /// Writes in one commit, then answers.
    func commit<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing WriteScope) throws -> Value,
        then answer: @escaping @Sendable (Value) throws -> HTTPResponse
    ) {
        parts.database.write(body) { result in self.answer { try answer(try result.get()) } }
    }

    /// Runs what answers; an error that it throws is answered.
    private func attempt(_ facts: [BackendFact], _ serve: () throws -> Void) {
        do { try serve() } catch { responder.send(response(for: error, facts)) }
    }

    package func response(for error: any Error) -> HTTPResponse { response(for: error, []) }

    /// What an error means to whoever asked; what is not their doing is logged, with its facts.
    private func response(for error: any Error, _ facts: [BackendFact]) -> HTTPResponse {
        if let refusal = error as? Refusal { return refusal.answer }
        parts.log(.requestFailed, [.request(request.id)] + facts + [.detail("\(error)")])
        return Refusal(of: error).answer
    }

    /// Runs what reads the body and answers: a large one is read away from the listener's threads,
    /// one after the other, and only while somebody waits for the answer.
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
