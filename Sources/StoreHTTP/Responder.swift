import Dispatch
import Synchronization

/// Answers one request: at once in the handler, or later from any thread.
///
/// The first answer counts; later ones are dropped. A request that is not answered within the
/// listener's limit, or by the end of a stop's grace period, is answered 503.
package final class Responder: Sendable {
    /// The counts and the witness of an answer.
    struct Observers {
        var counts: AnswerCounts?
        var witness: (@Sendable (HTTPResponse) -> Void)?
    }

    private struct Awaited {
        let deliver: @Sendable (HTTPResponse, Observers) -> Void
        var observers = Observers()
    }

    /// Released with the answer, so that a responder kept longer retains nothing of its request.
    private let awaited: Mutex<Awaited?>

    /// `deliver` is called once, on the thread that answers.
    package convenience init(deliver: @escaping @Sendable (HTTPResponse) -> Void) {
        let start = nowNanoseconds()
        self.init { response, observers in
            observers.witness?(response)
            observers.counts?.count(
                response.status, microseconds: Int((nowNanoseconds() - start) / 1_000))
            deliver(response)
        }
    }

    /// The same; `deliver` also receives the observers, and tells them.
    init(deliver: @escaping @Sendable (HTTPResponse, Observers) -> Void) {
        awaited = Mutex(Awaited(deliver: deliver))
    }

    /// Has the answer counted there, unless it was given already.
    package func count(in counts: AnswerCounts) {
        awaited.withLock { $0?.observers.counts = counts }
    }

    /// Has the answer shown to a witness, unless it was given already: before the client gets it, and by
    /// a listener on the connection's thread. It replaces any earlier witness.
    package func show(to witness: @escaping @Sendable (HTTPResponse) -> Void) {
        awaited.withLock { $0?.observers.witness = witness }
    }

    package func send(_ response: HTTPResponse) {
        let taken = awaited.withLock { awaited in
            defer { awaited = nil }
            return awaited
        }
        if let taken { taken.deliver(response, taken.observers) }
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
