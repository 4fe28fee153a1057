public import Foundation
import Synchronization

/// A request to the store: the base class of all kinds of request.
///
/// The app keeps the request until it has ended; a released request calls no delegate.
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

    /// Learns how the request ended; not retained.
    open weak var delegate: (any SKRequestDelegate)? {
        get { state.withLock { UncheckedBox($0.delegate) }.value }
        set {
            let box = UncheckedBox(newValue)
            state.withLock { $0.delegate = box.value }
        }
    }

    /// Sends the request; the delegate is called later. Starting again sends it again.
    open func start() {
        let round = state.withLock {
            $0.round += 1
            return $0.round
        }
        send(round: round)
    }

    /// Drops the request: the delegate is no longer called.
    open func cancel() {
        state.withLock { $0.round += 1 }
    }

    /// What each kind of request does when it starts.
    func send(round: Int) {}

    /// Whether an answer to this start may still be delivered.
    func isCurrent(round: Int) -> Bool {
        state.withLock { $0.round == round }
    }
}

/// Carries one of the app's references across a lock or a queue.
///
/// Apple's protocols say nothing about threads; the value is only used on the threads where Apple
/// uses it.
struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
