import Dispatch
import StoreDatabase
import StoreHTTP
import StoreService

/// One request on its way through the backend.
struct BackendScene: ServiceContext {
    let request: HTTPRequest
    let responder: Responder
    let parts: BackendParts

    func send(_ response: HTTPResponse) { responder.send(response) }

    /// The user whose token the request carries.
    func user() throws -> BackendUserID { try parts.accounts.user(of: request) }

    /// Runs what answers; an error that it throws is answered.
    private func attempt(_ serve: () throws -> Void) {
        do { try serve() } catch { send(response(for: error)) }
    }

    package func response(for error: any Error) -> HTTPResponse {
        if let refusal = error as? Refusal { return refusal.answer }
        parts.log(.requestFailed, .request(request.id), .detail("\(error)"))
        return Refusal(of: error).answer
    }

    /// Runs what reads the body and answers: a large one is read away from the listener's threads,
    /// one after the other, and only while somebody waits for the answer.
    func read(_ serve: @escaping @Sendable () throws -> Void) {
        guard request.body.count > BackendLimits.quickBodyMax else {
            return attempt(serve)
        }
        parts.reading.async {
            guard !responder.isAnswered else { return }
            attempt(serve)
        }
    }

    /// Ready: the product list was read, or there would be no service, and the database answers.
    func ready() throws -> HTTPResponse {
        do {
            _ = try parts.database.read { try $0.row("SELECT count(*) FROM schema_version") }
        } catch {
            parts.log(.requestFailed, .detail("\(error)"))
            throw Refusal.notReady
        }
        return jsonResponse(status: 200, ["status": "ready"])
    }
}
