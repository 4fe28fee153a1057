import StoreModel
import StoreWire

extension PostOutcome {
    /// What the store's answer to a post means.
    init(_ answer: AttemptAnswerBody) {
        switch answer.state {
        case .done:
            self =
                answer.transaction.map { .done($0, receiptRevision: answer.receiptRevision) }
                ?? .lost
        case .refused:
            self = answer.refusal.map { .refused(FailureReason($0)) } ?? .lost
        case .deferred: self = .pending(isDeferred: true)
        case .received, .charging, .unknown: self = .pending(isDeferred: false)
        }
    }

    /// What it means that no such answer came.
    init(_ failure: StoreFailure) {
        switch failure.kind {
        case .lost, .cancelled: self = .lost
        case .signedOut: self = .signedOut
        case .otherWorld: self = .otherWorld
        // The payment itself was wrong, not the moment.
        case .refused(status: 422, _):
            self = .rejected(FailureReason(.paymentInvalid, failure.sentence))
        case .refused: self = .rejected(FailureReason(.unknown, failure.sentence))
        }
    }
}
