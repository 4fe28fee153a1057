import StoreModel
import StoreWire

// Purchases that somebody else decides on.
extension FakeStore {
    /// Makes the purchases that were deferred or interrupted; on every device they arrive.
    func completeWaiting() {
        state.withLock { state in
            for (name, known) in state.attempts
            where [.deferred, .interrupted].contains(known.state) {
                guard let body = state.attemptBodies[name],
                    let device = name.split(separator: " ").first
                else { continue }
                let transaction = Self.record(body, device: String(device), &state)
                state.attempts[name] = AttemptAnswerBody(
                    attemptId: body.attemptId, state: .done, transaction: transaction,
                    refusal: nil, receiptRevision: state.revision)
            }
        }
    }

    /// Declines what was deferred; without the event, as when it lies before a cursor.
    func declineWaiting(tells: Bool = true) {
        state.withLock { state in
            for (name, known) in state.attempts where known.state == .deferred {
                state.attempts[name] = Self.refused(known.attemptId, .declined, state)
                guard tells else { continue }
                state.events.append(
                    UpdateBody(
                        number: Int64(state.events.count + 1), kind: .declined,
                        transaction: nil, subject: known.attemptId))
            }
        }
    }

    static func refused(
        _ attemptId: String, _ code: RefusalCode, _ state: State
    ) -> AttemptAnswerBody {
        AttemptAnswerBody(
            attemptId: attemptId, state: .refused, transaction: nil,
            refusal: RefusalBody(code: code, message: "Because of \(code.rawValue)."),
            receiptRevision: state.revision)
    }
}
