public import Foundation
import StoreModel
import StoreWire

/// Settings that an app shares between all devices of an account.
///
/// On Apple's platforms this class is Foundation's; on Linux Foundation has none, and it comes with
/// StoreKit. What is set is on disk at once, is sent to the store in the background, and reaches
/// the account's other devices, where `didChangeExternallyNotification` is posted on the main
/// thread. Before anybody is signed in, values stay on this device; the first account that signs in
/// takes them over.
///
/// Keys have 1 to 64 bytes. At most 1,024 keys and a megabyte of values are kept.
///
/// ```swift
/// func shareTurbo() -> any NSObjectProtocol {
///     NSUbiquitousKeyValueStore.default.set(true, forKey: "turbo")
///     return NotificationCenter.default.addObserver(
///         forName: NSUbiquitousKeyValueStore.didChangeExternallyNotification,
///         object: NSUbiquitousKeyValueStore.default, queue: .main
///     ) { note in
///         print(note.userInfo?[NSUbiquitousKeyValueStoreChangedKeysKey] ?? "")
///     }
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/foundation/nsubiquitouskeyvaluestore>
open class NSUbiquitousKeyValueStore: NSObject, @unchecked Sendable {
    private static let shared = NSUbiquitousKeyValueStore()

    private let process: KeyValueProcess

    /// The key-value store of this app.
    open class var `default`: NSUbiquitousKeyValueStore { shared }

    /// Another way to the same values; notifications come from `default`.
    public override init() {
        process = KeyValueProcess.shared
        super.init()
    }

    /// With values of its own, for tests.
    init(process: KeyValueProcess) {
        self.process = process
        super.init()
    }

    /// The value of a key; numbers and truth values are `NSNumber`s.
    open func object(forKey aKey: String) -> Any? {
        value(aKey)?.object
    }

    /// Sets a value, which a property list must be able to hold; nil removes the key.
    ///
    /// Anything else, and a key that cannot be one, is a mistake of the app and ends it, as Apple's
    /// exception does.
    open func set(_ anObject: Any?, forKey aKey: String) {
        guard let anObject else { return process.set(nil, for: checked(aKey)) }
        guard let value = PropertyListValue(anObject), value.depth <= KeyValueLimits.depthMax
        else {
            fatalError(
                "NSUbiquitousKeyValueStore: the value for key '\(aKey)' is a "
                    + "\(type(of: anObject)), or holds something, that is no property list of at "
                    + "most \(KeyValueLimits.depthMax) collections in each other.")
        }
        process.set(value, for: checked(aKey))
    }

    /// Removes a key and its value.
    open func removeObject(forKey aKey: String) {
        process.set(nil, for: checked(aKey))
    }

    /// All keys and their values.
    open var dictionaryRepresentation: [String: Any] {
        process.values.mapValues(\.object)
    }

    /// Writes to disk what could not be written before, and starts an exchange with the store in the
    /// background. False when the disk refuses, or when no store is configured.
    @discardableResult
    open func synchronize() -> Bool {
        process.synchronize()
    }

    // MARK: - A getter and a setter for each type
    //
    // Getters make of other types what can be made of them.

    /// The text of a key, or that of its number; nil otherwise.
    open func string(forKey aKey: String) -> String? { value(aKey)?.asString }

    /// The array of a key; nil when it has another value or none.
    open func array(forKey aKey: String) -> [Any]? { value(aKey)?.object as? [Any] }

    /// The dictionary of a key; nil when it has another value or none.
    open func dictionary(forKey aKey: String) -> [String: Any]? {
        value(aKey)?.object as? [String: Any]
    }

    /// The bytes of a key; nil when it has another value or none.
    open func data(forKey aKey: String) -> Data? { value(aKey)?.object as? Data }

    /// The whole number of a key, that of its text, 1 for true; 0 otherwise. Fractions are cut off.
    open func longLong(forKey aKey: String) -> Int64 { value(aKey)?.asInt64 ?? 0 }

    /// The number of a key, that of its text, 1 for true; 0 otherwise.
    open func double(forKey aKey: String) -> Double { value(aKey)?.asDouble ?? 0 }

    /// The truth value of a key; true also for numbers but 0, and for texts such as `YES`, `true`
    /// and `1`.
    open func bool(forKey aKey: String) -> Bool { value(aKey)?.asBool ?? false }

    /// Sets a text; nil removes the key.
    open func set(_ aString: String?, forKey aKey: String) { set(aString as Any?, forKey: aKey) }

    /// Sets bytes; nil removes the key.
    open func set(_ aData: Data?, forKey aKey: String) { set(aData as Any?, forKey: aKey) }

    /// Sets an array of what a property list can hold; nil removes the key.
    open func set(_ anArray: [Any]?, forKey aKey: String) { set(anArray as Any?, forKey: aKey) }

    /// Sets a dictionary of what a property list can hold; nil removes the key.
    open func set(_ aDictionary: [String: Any]?, forKey aKey: String) {
        set(aDictionary as Any?, forKey: aKey)
    }

    /// Sets a whole number.
    open func set(_ value: Int64, forKey aKey: String) { set(value as Any?, forKey: aKey) }

    /// Sets a number.
    open func set(_ value: Double, forKey aKey: String) { set(value as Any?, forKey: aKey) }

    /// Sets a truth value.
    open func set(_ value: Bool, forKey aKey: String) { set(value as Any?, forKey: aKey) }

    // MARK: -

    func value(_ key: String) -> PropertyListValue? {
        process.values[key.precomposedStringWithCanonicalMapping]
    }

    /// The key as it is kept: two ways to write a letter are one key.
    private func checked(_ key: String) -> String {
        let kept = key.precomposedStringWithCanonicalMapping
        guard KeyValueLimits.isKey(kept) else {
            fatalError(
                "NSUbiquitousKeyValueStore: key '\(key)' has \(kept.utf8.count) bytes; it must "
                    + "have 1 to \(KeyValueLimits.keyBytesMax), and no NUL.")
        }
        return kept
    }
}
