import Foundation
import StoreHTTP
import StoreModel
import StoreService
import StoreWire

/// Turns outcomes into answers, with the content that was granted.
struct ReceiptAnswers: Sendable {
    let products: ProductList

    static let keptMessage =
        "The store has not given a clear answer yet. The receipt is kept and will be retried: "
        + "ask later, and do not finish the transaction before it is granted."

    /// The answer to `POST /v1/receipts`; `standing` is the state of a subscription.
    func response(
        _ outcome: SettlementOutcome, _ id: SubmissionID, passThrough: [String: String]?,
        standing: UserSubscriptionBody?
    ) -> HTTPResponse {
        switch outcome {
        case .granted(let product, let transaction):
            jsonResponse(
                status: 200, granted(.granted, id, product, transaction, passThrough, standing))
        case .alreadyGranted(let product, let transaction):
            jsonResponse(
                status: 200,
                granted(.alreadyGranted, id, product, transaction, passThrough, standing))
        case .refused(let refusal):
            jsonResponse(status: refusal.httpStatus, refused(id, refusal))
        case .kept: kept(id)
        }
    }

    /// The answer for a receipt that is stored but not verified yet.
    func kept(_ id: SubmissionID) -> HTTPResponse {
        var body = ReceiptOutcomeBody(status: .kept, submissionId: id.rawValue)
        body.message = Self.keptMessage
        return jsonResponse(status: 202, body)
    }

    /// The state of a submission, for `GET /v1/receipts/{submissionId}`; without the content if the
    /// store revoked the purchase.
    func state(
        _ row: SubmissionRow, isRefunded: Bool, standing: UserSubscriptionBody?
    ) throws -> ReceiptOutcomeBody {
        let passThrough = try row.passThrough.map {
            try WireJSON.decode([String: String].self, from: Array($0.utf8))
        }
        switch row.state {
        case .granted, .alreadyGranted:
            var body = granted(
                row.state, row.id, row.claim.productID, row.claim.transactionID, passThrough,
                standing)
            if isRefunded { body.content = nil }
            return body
        case .received, .kept, .refused:
            var body = ReceiptOutcomeBody(status: row.state, submissionId: row.id.rawValue)
            body.reason = row.reason
            body.storeStatus = row.storeStatus.map { Int($0) }
            body.message = row.state == .refused ? row.message : Self.keptMessage
            return body
        }
    }

    private func granted(
        _ status: ReceiptOutcomeBody.Status, _ id: SubmissionID, _ product: String,
        _ transaction: String, _ passThrough: [String: String]?, _ standing: UserSubscriptionBody?
    ) -> ReceiptOutcomeBody {
        var body = ReceiptOutcomeBody(status: status, submissionId: id.rawValue)
        body.productId = product
        body.transactionId = transaction
        body.subscription = standing
        if isServed(product, standing) {
            body.content = products[product]?.content.map(ContentBody.init)
        }
        body.passThrough = passThrough
        return body
    }

    /// Whether a product's own content is served now: a subscription may run as another product
    /// than the submitted transaction's.
    private func isServed(_ product: String, _ standing: UserSubscriptionBody?) -> Bool {
        let listed = products[product]
        guard let standing else { return !(listed?.ends ?? false) }
        return standing.isServed
            && (listed?.kind != .autoRenewable || standing.productId == product)
    }

    private func refused(_ id: SubmissionID, _ refusal: GrantRefusal) -> ReceiptOutcomeBody {
        var body = ReceiptOutcomeBody(status: .refused, submissionId: id.rawValue)
        body.reason = refusal.code
        body.storeStatus = refusal.storeStatus
        body.message = refusal.message
        return body
    }
}

/// A JSON answer; a body that cannot be encoded, which none of ours is, becomes a bare 500.
private func jsonResponse(status: Int, _ body: some Encodable) -> HTTPResponse {
    (try? .json(encoding: body, status: status)) ?? HTTPResponse(status: 500)
}

extension ContentBody {
    init(_ content: ProductContent) {
        self.init(
            name: content.name, mediaType: content.mediaType,
            data: Data(content.bytes).base64EncodedString())
    }
}
