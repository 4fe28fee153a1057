import Foundation
import StoreModel
import StoreWire

extension PostOutcome {
    /// What the store's answer to a post means.
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
        // It may be made later; it arrives by itself then, as a purchase of its own.
        case .interrupted:
            self = .refused(
                FailureReason(
                    .unknown,
                    "The purchase was interrupted: something has to be settled with the store "
                        + "first."))
        case .deferred: self = .deferred
        case .received, .charging, .unknown: self = .pending
        }
    }

    /// What it means that no such answer came.
    init(_ failure: StoreFailure) {
        switch failure.kind {
        case .lost, .cancelled: self = .lost
        case .signedOut: self = .signedOut
        case .otherWorld: self = .otherWorld
        // The payment itself was wrong, not the moment. The store judges that before it looks the
        // attempt up, so none of its posts was taken.
        case .refused(status: 422, _):
            self = .refused(FailureReason(.paymentInvalid, failure.sentence))
        case .refused: self = .rejected(FailureReason(.unknown, failure.sentence))
        }
    }
}
