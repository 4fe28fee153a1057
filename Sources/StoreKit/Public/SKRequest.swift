public import Foundation
import Synchronization

/// A question to the store: the root of the kinds of request.
///
/// The app keeps the request until it has ended; one that is let go calls nobody.
///
/// ```swift
/// func start(_ request: SKRequest, secondsMax: TimeInterval) {
///     request.start()
///     DispatchQueue.main.asyncAfter(deadline: .now() + secondsMax) { request.cancel() }
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/skrequest>
open class SKRequest: NSObject, @unchecked Sendable {
    private struct State: ~Copyable {
        weak var delegate: (any SKRequestDelegate)?
        /// Counts starts and cancels, so that an answer to an older start is dropped.
        var round = 0
    }

    private let state = Mutex(State())

    public override init() {}

    /// Who hears how it ended; not retained.
    open weak var delegate: (any SKRequestDelegate)? {
        get { state.withLock { UncheckedBox($0.delegate) }.value }
        set {
            let box = UncheckedBox(newValue)
            state.withLock { $0.delegate = box.value }
        }
    }

    /// Sends the request; the delegate is called later. Starting again asks again.
    open func start() {
        let round = state.withLock {
            $0.round += 1
            return $0.round
        }
        send(round: round)
    }

    /// Drops the request: the delegate is not called any more.
    open func cancel() {
        state.withLock { $0.round += 1 }
    }

    /// What a kind of request does when it starts.
    func send(round: Int) {}

    /// Whether an answer to this start may still be handed over.
    func isCurrent(round: Int) -> Bool {
        state.withLock { $0.round == round }
    }
}

/// Carries a reference of the app's across a lock or a queue.
///
/// Apple's protocols say nothing of threads; what is in the box is only called where Apple calls
/// it.
struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
