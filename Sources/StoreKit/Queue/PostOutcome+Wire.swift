import Foundation
import StoreModel
import StoreWire

extension PostOutcome {
    /// Interprets the store's answer to a post.
    init(_ answer: AttemptAnswerBody) {
        switch answer.state {
        case .done:
            self =
                answer.transaction.map {
                    .done(
                        $0, receiptRevision: answer.receiptRevision,
                        transactionReceipt: answer.receipts.flatMap {
                            Data(base64Encoded: $0.transactionReceipt)
                        })
                } ?? .lost
        case .refused where answer.refusal?.code == .priceChanged:
            self = .priceChanged(nextAttemptId: UUID().uuidString)
        case .refused:
            self = answer.refusal.map { .refused(FailureReason($0)) } ?? .lost
        // The purchase may be completed later; it then arrives by itself, as a separate purchase.
        case .interrupted:
            self = .refused(.interrupted)
        case .deferred: self = .deferred
        case .received, .charging, .unknown: self = .pending
        }
    }

    /// Interprets the lack of such an answer.
    init(_ failure: StoreFailure) {
        switch failure.kind {
        case .lost, .cancelled: self = .lost
        case .signedOut: self = .signedOut
        case .otherWorld: self = .otherWorld
        // The payment itself was wrong, not the moment. The store checks that before it looks the
        // attempt up, so none of its posts was accepted.
        case .refused(status: 422, _):
            self = .refused(FailureReason(.paymentInvalid, failure.sentence))
        case .refused: self = .rejected(FailureReason(.unknown, failure.sentence))
        }
    }
}
