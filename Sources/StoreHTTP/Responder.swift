import Dispatch
import Synchronization

/// The way to answer one request: at once in the handler, or later from any thread.
///
/// The first answer counts, later ones are dropped. A request that nobody answered by its
/// deadline gets the deadline's answer.
package final class Responder: Sendable {
    private struct Deadline {
        let nanoseconds: UInt64
        let answer: HTTPResponse
    }

    private typealias Delivery = @Sendable (HTTPResponse) -> Void

    private enum State {
        case open(Delivery, Deadline?)
        /// The delivery is let go, so that a kept responder keeps nothing of its request.
        case answered
    }

    private let state: Mutex<State>

    /// `deliver` is called once, on the thread that answers.
    package init(deliver: @escaping @Sendable (HTTPResponse) -> Void) {
        state = Mutex(.open(deliver, nil))
    }

    package func send(_ response: HTTPResponse) {
        finish { _ in response }
    }

    /// Sets when the request is answered with `answer` if nobody does before.
    ///
    /// For long polls: the listener's own limit still holds, and its stop gives `answer` at once.
    /// Without it, the listener answers 503 after its limit, and at its stop only after a grace.
    package func setDeadline(milliseconds: Int, answer: HTTPResponse) {
        let wait = UInt64(clamping: milliseconds).multipliedReportingOverflow(by: 1_000_000)
        let end = nowNanoseconds().addingReportingOverflow(wait.partialValue)
        let isFar = wait.overflow || end.overflow
        let deadline = Deadline(nanoseconds: isFar ? .max : end.partialValue, answer: answer)
        state.withLock { state in
            if case .open(let deliver, _) = state { state = .open(deliver, deadline) }
        }
    }

    /// Answers as at the deadline, now.
    package func expire() {
        finish { $0?.answer ?? .unanswered }
    }

    package var isAnswered: Bool {
        state.withLock { state in
            if case .answered = state { true } else { false }
        }
    }

    /// When the deadline set by the service is, on the clock of `nowNanoseconds()`.
    var ownDeadlineNanoseconds: UInt64? {
        state.withLock { state in
            if case .open(_, let deadline) = state { deadline?.nanoseconds } else { nil }
        }
    }

    private func finish(_ answer: (Deadline?) -> HTTPResponse) {
        let open: (deliver: Delivery, deadline: Deadline?)? = state.withLock { state in
            guard case .open(let deliver, let deadline) = state else { return nil }
            state = .answered
            return (deliver, deadline)
        }
        if let open { open.deliver(answer(open.deadline)) }
    }
}

/// A clock that never goes back; for durations and deadlines, not for store facts.
func nowNanoseconds() -> UInt64 {
    DispatchTime.now().uptimeNanoseconds
}
