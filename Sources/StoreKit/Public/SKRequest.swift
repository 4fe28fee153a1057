public import Foundation
import Synchronization

/// A request to the store: the base class of all kinds of request.
///
/// A started request lives until the last call of its delegate or `cancel()`, whether or not the
/// app keeps it. The delegate is not retained.
///
/// ```swift
/// @MainActor func start(_ request: SKRequest, secondsMax: Int) {
///     request.start()
///     Task {
///         try await Task.sleep(for: .seconds(secondsMax))
///         request.cancel()
///     }
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/skrequest>
open class SKRequest: NSObject {
    private struct State: ~Copyable {
        weak var delegate: (any SKRequestDelegate)?
        var run: RequestRun?
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
        let run = RequestRun(of: self)
        replaceRun(with: run)
        send(run)
    }

    /// Drops the request: the delegate is no longer called.
    open func cancel() {
        replaceRun(with: nil)
    }

    /// What each kind of request does when it starts. It ends the run after the last call.
    func send(_ run: RequestRun) {}

    private func replaceRun(with next: RequestRun?) {
        let earlier = state.withLock { state in
            defer { state.run = next }
            return state.run
        }
        earlier?.end()
    }
}

/// One start of a request: keeps the request alive until it ends.
final class RequestRun: Sendable {
    private let kept: Mutex<UncheckedBox<SKRequest>?>

    fileprivate init(of request: SKRequest) {
        kept = Mutex(UncheckedBox(request))
    }

    /// The request; nil once it has ended, been cancelled or been started again.
    var request: SKRequest? {
        kept.withLock { $0 }?.value
    }

    /// Lets the request go.
    func end() {
        // Released outside the lock: an app's subclass may do anything in its `deinit`.
        _ = kept.withLock { kept in
            defer { kept = nil }
            return kept
        }
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
