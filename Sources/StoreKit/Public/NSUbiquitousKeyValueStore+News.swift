public import Foundation

extension NSUbiquitousKeyValueStore {
    /// Posted by `default` on the main thread when this process did not cause a change: another
    /// device or process set values, another account signed in, or there was no room.
    public static let didChangeExternallyNotification = NSNotification.Name(
        "NSUbiquitousKeyValueStoreDidChangeExternallyNotification")
}

/// In the notification: the reason, as one of the four numbers below.
public let NSUbiquitousKeyValueStoreChangeReasonKey: String =
    "NSUbiquitousKeyValueStoreChangeReasonKey"

/// In the notification: the names of the keys, an array of strings.
public let NSUbiquitousKeyValueStoreChangedKeysKey: String =
    "NSUbiquitousKeyValueStoreChangedKeysKey"

/// Another device of the account, or another process of the app, changed values.
public let NSUbiquitousKeyValueStoreServerChange: Int = KeyValueReason.server.rawValue

/// The account's first values arrived. They replaced those set on this device before.
public let NSUbiquitousKeyValueStoreInitialSyncChange: Int = KeyValueReason.initialSync.rawValue

/// There was no room. The new value is not kept, or not sent until there is room again.
public let NSUbiquitousKeyValueStoreQuotaViolationChange: Int =
    KeyValueReason.quotaViolation.rawValue

/// Another account is signed in, and its values replaced the previous ones.
public let NSUbiquitousKeyValueStoreAccountChange: Int = KeyValueReason.account.rawValue
