import StoreKit

/// What a player has reached, shared between the devices of a person; all on the main actor.
@MainActor
public final class SharedProgress {
    public private(set) var level: Int
    public private(set) var changes: [[String]] = []
    private let store: NSUbiquitousKeyValueStore
    private var token: (any NSObjectProtocol)?

    public init(store: NSUbiquitousKeyValueStore = .default) {
        self.store = store
        level = Int(store.longLong(forKey: "level"))
        token = NotificationCenter.default.addObserver(
            forName: NSUbiquitousKeyValueStore.didChangeExternallyNotification, object: store,
            queue: .main
        ) { [weak self] note in
            let reason = note.userInfo?[NSUbiquitousKeyValueStoreChangeReasonKey] as? Int
            let keys = note.userInfo?[NSUbiquitousKeyValueStoreChangedKeysKey] as? [String]
            MainActor.assumeIsolated { self?.take(keys ?? [], reason: reason) }
        }
        store.synchronize()
    }

    isolated deinit {
        if let token { NotificationCenter.default.removeObserver(token) }
    }

    public func reach(_ level: Int) {
        guard level > self.level else { return }
        self.level = level
        store.set(Int64(level), forKey: "level")
    }

    private func take(_ keys: [String], reason: Int?) {
        changes.append(keys)
        let theirs = Int(store.longLong(forKey: "level"))
        switch reason {
        case NSUbiquitousKeyValueStoreAccountChange: level = theirs
        case NSUbiquitousKeyValueStoreServerChange, NSUbiquitousKeyValueStoreInitialSyncChange:
            // The higher one wins, here and on the other devices.
            level = max(level, theirs)
            if level > theirs { store.set(Int64(level), forKey: "level") }
        default: break
        }
    }
}
