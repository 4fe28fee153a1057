package import StoreHTTP
package import StoreModel
import StoreService

/// The backend without its listener: takes requests and gives answers.
package final class PurchaseBackendService: Sendable {
    private let parts: BackendParts

    init(_ parts: BackendParts) {
        self.parts = parts
    }

    /// Answers a request at once, or later from another thread.
    package func handle(_ request: HTTPRequest, _ responder: Responder) {
        if ["operator", "console"].contains(request.segments.first) {
            do { try parts.hosts.admit(request) } catch { return responder.send(error.answer) }
        }
        if let refusal = Self.receiptInAddress(request) { return responder.send(refusal) }
        BackendRoutes.table.respond(
            to: request,
            context: BackendScene(request: request, responder: responder, parts: parts),
            responder: responder, counts: parts.meters.routes)
    }

    /// The longest body an address takes, for the listener.
    package static func bodyLimit(method: String, segments: [String]) -> Int {
        BackendRoutes.table.bodyBytesMax(method: method, segments: segments)
            ?? BackendLimits.bodyMax
    }

    /// The sender of a request, by its token: the operator's, or that of a user's session.
    package func sender(of request: HTTPRequest) -> BodySender {
        do {
            guard request.segments.first == "operator" else {
                return .account(try parts.accounts.user(of: request).rawValue)
            }
            try parts.hosts.admit(request)
            try parts.operators.door.admit(request)
            return .owner
        } catch {
            // Whatever is wrong is answered when the request has arrived.
            return .stranger
        }
    }

    /// Receipts belong in bodies: addresses are logged by everything on their way.
    private static func receiptInAddress(_ request: HTTPRequest) -> HTTPResponse? {
        var answer = Refusal.receiptInAddress.answer
        if request.segments == ["v1", "receipts"], ["GET", "HEAD"].contains(request.method) {
            answer.headers.add("Allow", "POST")
            return answer
        }
        let hasReceipt = request.query.contains { $0.name.lowercased().contains("receipt") }
        return hasReceipt ? answer : nil
    }
}

package enum BackendUserEntity {}
package enum SubmissionEntity {}

/// A user of the app developer's own backend, unrelated to the store's accounts.
package typealias BackendUserID = Identifier<BackendUserEntity, String>
/// One receipt submitted for one purchase.
package typealias SubmissionID = Identifier<SubmissionEntity, String>
