public import Foundation

extension NSUbiquitousKeyValueStore {
    /// Posted by `default`, on the main thread, when values changed and it was not this process:
    /// another device or process set them, somebody else signed in, or there was no room.
    public static let didChangeExternallyNotification = NSNotification.Name(
        "NSUbiquitousKeyValueStoreDidChangeExternallyNotification")
}

/// In the notification: why, as one of the four numbers below.
public let NSUbiquitousKeyValueStoreChangeReasonKey: String =
    "NSUbiquitousKeyValueStoreChangeReasonKey"

/// In the notification: the names of the keys, an array of texts.
public let NSUbiquitousKeyValueStoreChangedKeysKey: String =
    "NSUbiquitousKeyValueStoreChangedKeysKey"

/// Another device of the account, or another process of the app, changed values.
public let NSUbiquitousKeyValueStoreServerChange: Int = KeyValueReason.server.rawValue

/// The account's values came for the first time. They replaced what this device had set before.
public let NSUbiquitousKeyValueStoreInitialSyncChange: Int = KeyValueReason.initialSync.rawValue

/// There was no room. What was set is not kept, or not sent before there is room again.
public let NSUbiquitousKeyValueStoreQuotaViolationChange: Int =
    KeyValueReason.quotaViolation.rawValue

/// Another account is signed in, and its values took the place of those before.
public let NSUbiquitousKeyValueStoreAccountChange: Int = KeyValueReason.account.rawValue
