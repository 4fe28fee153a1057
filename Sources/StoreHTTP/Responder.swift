import Dispatch
import Synchronization

/// Answers one request: at once in the handler, or later from any thread.
///
/// The first answer counts; later ones are dropped. A request that is not answered within the
/// listener's limit, or by the end of a stop's grace period, is answered 503.
package final class Responder: Sendable {
    private struct Awaited {
        let deliver: @Sendable (HTTPResponse, AnswerCounts?) -> Void
        var counts: AnswerCounts?
    }

    /// Released with the answer, so that a responder kept longer retains nothing of its request.
    private let awaited: Mutex<Awaited?>

    /// `deliver` is called once, on the thread that answers.
    package convenience init(deliver: @escaping @Sendable (HTTPResponse) -> Void) {
        let start = nowNanoseconds()
        self.init { response, counts in
            counts?.count(
                response.status, microseconds: Int((nowNanoseconds() - start) / 1_000))
            deliver(response)
        }
    }

    /// The same, with the counts that the answer belongs to, for `deliver` to count it.
    init(deliver: @escaping @Sendable (HTTPResponse, AnswerCounts?) -> Void) {
        awaited = Mutex(Awaited(deliver: deliver))
    }

    /// Has the answer counted there, unless it was given already.
    package func count(in counts: AnswerCounts) {
        awaited.withLock { $0?.counts = counts }
    }

    package func send(_ response: HTTPResponse) {
        let taken = awaited.withLock { awaited in
            defer { awaited = nil }
            return awaited
        }
        taken?.deliver(response, taken?.counts)
    }

    /// Answers that there was no answer in time.
    package func expire() {
        send(.unanswered)
    }

    package var isAnswered: Bool { awaited.withLock { $0 == nil } }
}

/// A monotonic clock; for durations and deadlines, not for store facts.
func nowNanoseconds() -> UInt64 {
    DispatchTime.now().uptimeNanoseconds
}
