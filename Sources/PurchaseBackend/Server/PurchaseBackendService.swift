import StoreDatabase
package import StoreHTTP
import StoreModel
import StoreWire

/// The backend without its listener: a request in, an answer out.
package final class PurchaseBackendService: Sendable {
    private let parts: BackendParts

    init(_ parts: BackendParts) {
        self.parts = parts
    }

    /// Answers a request at once, or later from another thread.
    package func handle(_ request: HTTPRequest, _ responder: Responder) {
        do {
            try route(request, responder)
        } catch let refusal as RequestRefusal {
            responder.send(refusal.response)
        } catch {
            parts.log(.requestFailed, .request(request.id), .detail("\(error)"))
            responder.send(RequestRefusal(of: error).response)
        }
    }

    /// The longest body an address takes, for the listener.
    package static func bodyLimit(method: String, path: String) -> Int {
        let segments = path.split(separator: "/").map(String.init)
        return Endpoint(segments)?.bodyMax ?? BackendLimits.bodyMax
    }

    private func route(_ request: HTTPRequest, _ responder: Responder) throws {
        guard let endpoint = Endpoint(request.segments) else {
            throw RequestRefusal.notFound("There is nothing at this address.")
        }
        try refuseReceiptInAddress(request, endpoint)
        guard endpoint.methods.contains(request.method) else {
            throw RequestRefusal(
                status: 405, code: "methodNotAllowed",
                message: "This address takes \(endpoint.methods.joined(separator: " and ")).",
                allow: endpoint.methods.joined(separator: ", "))
        }
        guard request.body.count <= endpoint.bodyMax else {
            throw RequestRefusal.tooLarge(endpoint.bodyMax)
        }
        try serve(endpoint, request, responder)
    }

    private func serve(
        _ endpoint: Endpoint, _ request: HTTPRequest, _ responder: Responder
    ) throws {
        let receipts = parts.receipts
        let accounts = parts.accounts
        switch endpoint {
        case .health: responder.send(jsonResponse(status: 200, ["status": "ok"]))
        case .ready: responder.send(try ready())
        case .products:
            let identifiers = parts.products.products.map(\.id)
            responder.send(
                jsonResponse(
                    status: 200, ProductIdentifiersBody(productIdentifiers: identifiers)))
        case .users: try accounts.signUp(request, responder)
        case .sessions where request.method == "POST": try accounts.signIn(request, responder)
        case .sessions: try accounts.signOut(request, responder)
        case .receipts:
            try receipts.submit(request, by: accounts.user(of: request), responder)
        case .receipt(let id):
            let user = try accounts.user(of: request)
            responder.send(try receipts.state(SubmissionID(id), for: user))
        case .purchases:
            responder.send(try receipts.purchases(of: accounts.user(of: request)))
        case .content(let product):
            let user = try accounts.user(of: request)
            responder.send(try receipts.content(of: product, for: user))
        case .operatorSubmissions: responder.send(try parts.operators.list(request))
        case .operatorSubmission(let id):
            responder.send(try parts.operators.show(SubmissionID(id), request))
        case .operatorRetry(let id):
            responder.send(try parts.operators.retry(SubmissionID(id), request))
        case .operatorRecheck(let id):
            try parts.operators.recheck(SubmissionID(id), request, responder)
        }
    }

    /// Ready: the product list was read, or there would be no service, and the database answers.
    private func ready() throws -> HTTPResponse {
        do {
            _ = try parts.database.read { try $0.row("SELECT count(*) FROM schema_version") }
        } catch {
            parts.log(.requestFailed, .detail("\(error)"))
            throw RequestRefusal.notReady
        }
        return jsonResponse(status: 200, ["status": "ready"])
    }

    /// Receipts go into bodies: an address is written to the logs of everything on its way.
    private func refuseReceiptInAddress(_ request: HTTPRequest, _ endpoint: Endpoint) throws {
        if endpoint == .receipts, request.method == "GET" || request.method == "HEAD" {
            var refusal = RequestRefusal.receiptInAddress
            refusal.allow = "POST"
            throw refusal
        }
        let hasReceipt = request.query.contains { $0.name.lowercased().contains("receipt") }
        if hasReceipt { throw RequestRefusal.receiptInAddress }
    }
}
