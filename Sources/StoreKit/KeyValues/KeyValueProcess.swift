import Foundation
import StoreWire

/// An app's key values on this device, and their exchange with the store.
final class KeyValueProcess: Sendable {
    private let store: KeyValueStore
    private let exchange: KeyValueExchange?

    /// Without parts there is no store, and values are kept in memory only.
    init(
        parts: QueueEngine.Parts?, signBackIn: @escaping @Sendable () -> Bool,
        lanes: Lanes = Lanes(), tell: @escaping KeyValueStore.Tell
    ) {
        let store = KeyValueStore(folder: parts.map { KeyValueFolder(home: $0.home) }, tell: tell)
        self.store = store
        exchange = parts.map {
            KeyValueExchange(
                values: store, connection: $0.connection, retries: $0.retries,
                signBackIn: signBackIn, lanes: lanes)
        }
        exchange?.start()
    }

    /// A context's, on the device of its queue.
    convenience init(of engine: QueueEngine, from context: WeakContext) {
        self.init(
            parts: try? engine.parts.get(), signBackIn: { engine.signBackIn() }, lanes: engine.lanes
        ) {
            Self.post($0, $1, engine.calls, from: context.value?.keyValueStore)
        }
    }

    deinit {
        exchange?.stop()
    }

    /// Ends the exchange; values are kept in memory only from then on.
    func end() {
        store.end()
        exchange?.end()
    }

    var values: [String: PropertyListValue] { store.values }

    func set(_ value: PropertyListValue?, for key: String) {
        store.set(value, for: key)
        exchange?.start()
    }

    func synchronize() -> Bool {
        let isSaved = store.save()
        exchange?.start()
        return isSaved
    }

    /// Posts the notification on the main thread.
    ///
    /// It runs as an operation of the main queue: for observers with a queue, Foundation waits
    /// until that queue is empty, and exempts only an operation of the same queue. When the main
    /// thread runs `dispatchMain`, as in programs with an asynchronous `main`, a plain block on the
    /// main queue would wait for itself.
    static func post(
        _ reason: KeyValueReason, _ keys: Set<String>, _ calls: AppCalls = AppCalls(),
        from sender: @autoclosure @escaping @Sendable () -> NSUbiquitousKeyValueStore?
    ) {
        OperationQueue.main.addOperation {
            guard let sender = sender() else { return }
            calls.now {
                NotificationCenter.default.post(
                    name: NSUbiquitousKeyValueStore.didChangeExternallyNotification,
                    object: sender,
                    userInfo: [
                        NSUbiquitousKeyValueStoreChangeReasonKey: reason.rawValue,
                        NSUbiquitousKeyValueStoreChangedKeysKey: keys.sorted(),
                    ])
            }
        }
    }
}
