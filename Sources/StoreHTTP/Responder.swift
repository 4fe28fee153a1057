import Dispatch
import Synchronization

/// Answers one request: at once in the handler, or later from any thread.
///
/// The first answer counts; later ones are dropped. A request that is not answered within the
/// listener's limit, or by the end of a stop's grace period, is answered 503.
package final class Responder: Sendable {
    private typealias Delivery = @Sendable (HTTPResponse) -> Void

    /// Released with the answer, so that a responder kept longer retains nothing of its request.
    private let delivery: Mutex<Delivery?>

    /// `deliver` is called once, on the thread that answers.
    package init(deliver: @escaping @Sendable (HTTPResponse) -> Void) {
        delivery = Mutex(deliver)
    }

    package func send(_ response: HTTPResponse) {
        let deliver = delivery.withLock { delivery in
            defer { delivery = nil }
            return delivery
        }
        deliver?(response)
    }

    /// Answers that there was no answer in time.
    package func expire() {
        send(.unanswered)
    }

    package var isAnswered: Bool { delivery.withLock { $0 == nil } }
}

/// A monotonic clock; for durations and deadlines, not for store facts.
func nowNanoseconds() -> UInt64 {
    DispatchTime.now().uptimeNanoseconds
}
