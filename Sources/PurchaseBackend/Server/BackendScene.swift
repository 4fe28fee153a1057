import Dispatch
import StoreDatabase
import StoreHTTP

/// One request on its way through the backend.
struct BackendScene: Sendable {
    let request: HTTPRequest
    let responder: Responder
    let parts: BackendParts

    func send(_ response: HTTPResponse) { responder.send(response) }

    /// The user whose token the request carries.
    func user() throws -> BackendUserID { try parts.accounts.user(of: request) }

    /// Runs what answers; an error that it throws is answered.
    func attempt(bodyBytesMax: Int = BackendLimits.bodyMax, _ serve: () throws -> Void) {
        do {
            guard request.body.count <= bodyBytesMax else {
                throw RequestRefusal.tooLarge(bodyBytesMax)
            }
            try serve()
        } catch let refusal as RequestRefusal {
            send(refusal.response)
        } catch {
            parts.log(.requestFailed, .request(request.id), .detail("\(error)"))
            send(RequestRefusal(of: error).response)
        }
    }

    /// Runs what reads the body and answers: a large one is read away from the listener's threads,
    /// one after the other, and only while somebody waits for the answer.
    func read(bodyBytesMax: Int, _ serve: @escaping @Sendable () throws -> Void) {
        guard request.body.count > BackendLimits.quickBodyMax else {
            return attempt(bodyBytesMax: bodyBytesMax, serve)
        }
        parts.reading.async {
            guard !responder.isAnswered else { return }
            attempt(bodyBytesMax: bodyBytesMax, serve)
        }
    }

    /// Ready: the product list was read, or there would be no service, and the database answers.
    func ready() throws -> HTTPResponse {
        do {
            _ = try parts.database.read { try $0.row("SELECT count(*) FROM schema_version") }
        } catch {
            parts.log(.requestFailed, .detail("\(error)"))
            throw RequestRefusal.notReady
        }
        return jsonResponse(status: 200, ["status": "ready"])
    }
}
