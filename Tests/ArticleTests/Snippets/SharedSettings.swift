import StoreKit

// begin
func shareTurbo() -> any NSObjectProtocol {
    NSUbiquitousKeyValueStore.default.set(true, forKey: "turbo")
    return NotificationCenter.default.addObserver(
        forName: NSUbiquitousKeyValueStore.didChangeExternallyNotification,
        object: NSUbiquitousKeyValueStore.default, queue: .main
    ) { note in
        print(note.userInfo?[NSUbiquitousKeyValueStoreChangedKeysKey] ?? "")
    }
}
// end
