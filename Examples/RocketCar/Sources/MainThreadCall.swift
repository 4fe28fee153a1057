import Foundation

/// A piece of this app's code, all of which runs on the main thread, in a form that timers, signals
/// and other threads can hold.
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
