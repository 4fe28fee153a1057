import Foundation

/// A piece of this app's code, which all runs on the main thread, in a form that may be handed to
/// what calls from elsewhere: timers, signals, other threads.
struct MainThreadCall: @unchecked Sendable {
    private let body: () -> Void

    init(_ body: @escaping () -> Void) {
        self.body = body
    }

    /// Only on the main thread.
    func callAsFunction() {
        dispatchPrecondition(condition: .onQueue(.main))
        body()
    }
}
