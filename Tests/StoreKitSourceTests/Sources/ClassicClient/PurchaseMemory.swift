import StoreKit

public let PurchaseMemoryDidChange = Notification.Name("PurchaseMemoryDidChange")

/// Remembers what was bought where all devices of a person see it, in the manner of Apple's guide:
/// for non-renewing subscriptions, which cannot be restored, and for what an app counts by itself.
public final class PurchaseMemory {
    public enum Change: Equatable {
        case fromOtherDevice, first, otherAccount, full
    }

    private enum Key {
        static let turbo = "turbo"
        static let coins = "coins"
        static let speed = "speed"
        static let level = "level"
        static let tracks = "tracks"
        static let season = "season"
        static let seal = "seal"
        static let all = [turbo, coins, speed, level, tracks, season, seal]
    }

    public private(set) var lastChange: Change?
    public private(set) var isFull = false
    private let store: NSUbiquitousKeyValueStore
    private let defaults: UserDefaults
    private var token: NSObjectProtocol?

    public init(
        store: NSUbiquitousKeyValueStore = .default, defaults: UserDefaults = .standard
    ) {
        self.store = store
        self.defaults = defaults
        token = NotificationCenter.default.addObserver(
            forName: NSUbiquitousKeyValueStore.didChangeExternallyNotification, object: store,
            queue: .main
        ) { [weak self] notification in
            self?.storeDidChange(notification)
        }
        // What came while the app did not run.
        store.synchronize()
        copyToDefaults(Key.all)
    }

    deinit {
        if let token = token { NotificationCenter.default.removeObserver(token) }
    }

    // MARK: What was bought

    public var hasTurbo: Bool {
        get { return store.bool(forKey: Key.turbo) }
        set { store.set(newValue, forKey: Key.turbo) }
    }

    public var coins: Int {
        get { return Int(store.longLong(forKey: Key.coins)) }
        set { store.set(Int64(newValue), forKey: Key.coins) }
    }

    public var speed: Double {
        get { return store.double(forKey: Key.speed) }
        set { store.set(newValue, forKey: Key.speed) }
    }

    public var level: String? {
        get { return store.string(forKey: Key.level) }
        set { store.set(newValue, forKey: Key.level) }
    }

    public var tracks: [String] {
        get { return store.array(forKey: Key.tracks) as? [String] ?? [] }
        set { store.set(newValue, forKey: Key.tracks) }
    }

    public var seal: Data? {
        get { return store.data(forKey: Key.seal) }
        set { store.set(newValue, forKey: Key.seal) }
    }

    /// When each season that was bought began.
    public var seasons: [String: Date] {
        return store.dictionary(forKey: Key.season) as? [String: Date] ?? [:]
    }

    /// Remembers a purchase, then finishes it.
    public func remember(_ transaction: SKPaymentTransaction, in queue: SKPaymentQueue) {
        let payment = transaction.payment
        switch payment.productIdentifier {
        case "turbo": hasTurbo = true
        case "coins": coins += payment.quantity
        case "season":
            var seasons = self.seasons
            let number = transaction.original?.transactionIdentifier
            let key = number ?? transaction.transactionIdentifier ?? "unknown"
            seasons[key] = transaction.transactionDate ?? Date()
            store.set(seasons, forKey: Key.season)
        case let track where !tracks.contains(track): tracks.append(track)
        default: break
        }
        guard store.synchronize() else {
            defaults.set(true, forKey: payment.productIdentifier)
            return queue.finishTransaction(transaction)
        }
        queue.finishTransaction(transaction)
    }

    public func forgetEverything() {
        for key in store.dictionaryRepresentation.keys { store.removeObject(forKey: key) }
    }

    // MARK: What other devices bought

    private func storeDidChange(_ notification: Notification) {
        guard let userInfo = notification.userInfo,
            let reason = userInfo[NSUbiquitousKeyValueStoreChangeReasonKey] as? NSNumber
        else { return }
        let keys = userInfo[NSUbiquitousKeyValueStoreChangedKeysKey] as? [String] ?? []
        switch reason.intValue {
        case NSUbiquitousKeyValueStoreServerChange: lastChange = .fromOtherDevice
        case NSUbiquitousKeyValueStoreInitialSyncChange: lastChange = .first
        case NSUbiquitousKeyValueStoreAccountChange: lastChange = .otherAccount
        case NSUbiquitousKeyValueStoreQuotaViolationChange:
            isFull = true
            lastChange = .full
            return
        default: return
        }
        copyToDefaults(keys)
        NotificationCenter.default.post(
            name: PurchaseMemoryDidChange, object: self, userInfo: ["keys": keys])
    }

    private func copyToDefaults(_ keys: [String]) {
        for key in keys {
            if let value = store.object(forKey: key) {
                defaults.set(value, forKey: key)
            } else {
                defaults.removeObject(forKey: key)
            }
        }
    }
}
