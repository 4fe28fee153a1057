import Dispatch

/// Calls of the app's code for a context, which is bound meanwhile: a task that the app creates in
/// one of its observers goes on in the store that the observer heard from.
struct AppCalls: Sendable {
    private let bind: @Sendable (() -> Void) -> Void

    /// Binds nothing.
    init() {
        bind = { $0() }
    }

    /// Binds nothing when the context is gone, which a queue may outlive that an app keeps.
    init(in context: @escaping @Sendable () -> StoreContext?) {
        bind = { body in
            if let context = context() { context.bind(body) } else { body() }
        }
    }

    /// Calls the app on this thread.
    func now(_ body: () -> Void) {
        bind(body)
    }

    /// Calls the app on the main thread, in the order requested.
    func onMain(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue.main.async { bind(body) }
    }

    /// Asks the app on the main thread, and waits for the answer.
    func askOnMain(otherwise: Bool, _ body: @Sendable () -> Bool) -> Bool {
        DispatchQueue.main.sync {
            var answer = otherwise
            bind { answer = body() }
            return answer
        }
    }
}
