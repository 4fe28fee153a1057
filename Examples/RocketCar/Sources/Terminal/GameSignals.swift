import Foundation

/// The signals that a game on a terminal must handle, as calls on the main thread.
final class GameSignals {
    /// Signals that end the process, which restores its terminal first.
    static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    private var sources: [any DispatchSourceSignal] = []

    init(ended: @escaping (Int32) -> Void, resized: @escaping () -> Void) {
        for number in Self.ending { listen(number) { ended(number) } }
        // After a pause the terminal may also have another size.
        for number in [SIGWINCH, SIGCONT] { listen(number, resized) }
    }

    deinit {
        for source in sources { source.cancel() }
    }

    private func listen(_ number: Int32, _ heard: @escaping () -> Void) {
        let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
        let call = MainThreadCall(heard)
        source.setEventHandler { call() }
        source.resume()
        sources.append(source)
    }
}
