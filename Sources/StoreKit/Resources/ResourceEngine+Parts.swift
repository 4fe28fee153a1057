import Dispatch
import Foundation
import StoreModel

extension ResourceEngine {
    /// A context's, on the device of its queue.
    convenience init(of engine: QueueEngine) {
        let calls = engine.calls
        self.init(
            parts: engine.parts.mapError { .unavailable($0.sentence) }
                .map { .make($0) { Self.tellLowSpace(calls) } })
    }

    /// How long observers may take; an app may block the thread that they are called on.
    private static let observersSeconds = 10

    /// Posts the notification, and returns when its observers have been called.
    private static func tellLowSpace(_ calls: AppCalls) {
        let end = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            calls.now {
                NotificationCenter.default.post(
                    name: .NSBundleResourceRequestLowDiskSpace, object: nil)
            }
            end.signal()
        }
        _ = end.wait(timeout: .now() + .seconds(observersSeconds))
    }
}

extension ResourceEngine.Parts {
    static func make(
        _ parts: QueueEngine.Parts, tellLowSpace: @escaping @Sendable () -> Void
    ) -> Self {
        let configuration = parts.connection.configuration
        return Self(
            loader: DownloadLoader.Parts(
                connection: parts.connection, home: parts.home, retries: parts.retries,
                network: configuration.network, signInAgain: { _ in },
                uptimeMilliseconds: { Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000) }),
            limits: configuration.resources,
            kept: ResourceShelf(
                home: parts.home, spaceBytes: configuration.resources.spaceBytes),
            tellLowSpace: tellLowSpace)
    }
}
