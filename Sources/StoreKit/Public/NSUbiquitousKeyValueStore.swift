public import Foundation
import StoreModel
import StoreWire

/// Settings that an app shares between all devices of an account.
///
/// On Apple's platforms this class belongs to Foundation; Foundation on Linux does not have it, so
/// StoreKit provides it. New values are on disk at once, go to the store in the background, and
/// reach the account's other devices, where `didChangeExternallyNotification` is posted on the main
/// thread. Before an account signs in, values stay on this device; the first account to sign in
/// takes them over.
///
/// Keys have 1 to 64 bytes. The limits are 1,024 keys and one megabyte of values.
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
    private let process: KeyValueProcess

    /// The key-value store of this app.
    open class var `default`: NSUbiquitousKeyValueStore { StoreContext.current.keyValueStore }

    /// Another instance for the same values; notifications come from `default`.
    public override init() {
        process = StoreContext.current.keyValues
        super.init()
    }

    /// With values of its own, for tests.
    init(process: KeyValueProcess) {
        self.process = process
        super.init()
    }

    /// The value of a key; numbers and Boolean values are `NSNumber`s.
    open func object(forKey aKey: String) -> Any? {
        value(aKey)?.object
    }

    /// Sets a value, which must be valid in a property list; nil removes the key.
    ///
    /// Any other value, and an invalid key, is a programming error and ends the process, as Apple's
    /// exception does.
    open func set(_ anObject: Any?, forKey aKey: String) {
        guard let anObject else { return process.set(nil, for: checked(aKey)) }
        guard let value = PropertyListValue(anObject), value.depth <= KeyValueLimits.depthMax
        else {
            fatalError(
                "NSUbiquitousKeyValueStore: the value for key '\(aKey)', a "
                    + "\(type(of: anObject)), is not a property list nested at most "
                    + "\(KeyValueLimits.depthMax) deep.")
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

    /// Writes what could not be written before, and starts an exchange with the store in the
    /// background. False when the disk refuses, or when no store is configured.
    @discardableResult
    open func synchronize() -> Bool {
        process.synchronize()
    }

    // MARK: - A getter and a setter for each type
    //
    // Getters convert values of other types where possible.

    /// A key's string, or its number as a string; nil otherwise.
    open func string(forKey aKey: String) -> String? { value(aKey)?.asString }

    /// A key's array; nil when it has another value or none.
    open func array(forKey aKey: String) -> [Any]? { value(aKey)?.object as? [Any] }

    /// A key's dictionary; nil when it has another value or none.
    open func dictionary(forKey aKey: String) -> [String: Any]? {
        value(aKey)?.object as? [String: Any]
    }

    /// A key's data; nil when it has another value or none.
    open func data(forKey aKey: String) -> Data? { value(aKey)?.object as? Data }

    /// A key's whole number, or that of its string, or 1 for true; 0 otherwise. Fractions are
    /// truncated.
    open func longLong(forKey aKey: String) -> Int64 { value(aKey)?.asInt64 ?? 0 }

    /// A key's number, or that of its string, or 1 for true; 0 otherwise.
    open func double(forKey aKey: String) -> Double { value(aKey)?.asDouble ?? 0 }

    /// A key's Boolean value; also true for numbers other than 0, and for strings such as `YES`,
    /// `true` and `1`.
    open func bool(forKey aKey: String) -> Bool { value(aKey)?.asBool ?? false }

    /// Sets a string; nil removes the key.
    open func set(_ aString: String?, forKey aKey: String) { set(aString as Any?, forKey: aKey) }

    /// Sets data; nil removes the key.
    open func set(_ aData: Data?, forKey aKey: String) { set(aData as Any?, forKey: aKey) }

    /// Sets an array that is valid in a property list; nil removes the key.
    open func set(_ anArray: [Any]?, forKey aKey: String) { set(anArray as Any?, forKey: aKey) }

    /// Sets a dictionary that is valid in a property list; nil removes the key.
    open func set(_ aDictionary: [String: Any]?, forKey aKey: String) {
        set(aDictionary as Any?, forKey: aKey)
    }

    /// Sets a whole number.
    open func set(_ value: Int64, forKey aKey: String) { set(value as Any?, forKey: aKey) }

    /// Sets a number.
    open func set(_ value: Double, forKey aKey: String) { set(value as Any?, forKey: aKey) }

    /// Sets a Boolean value.
    open func set(_ value: Bool, forKey aKey: String) { set(value as Any?, forKey: aKey) }

    // MARK: -

    func value(_ key: String) -> PropertyListValue? {
        process.values[key.precomposedStringWithCanonicalMapping]
    }

    /// The key in its stored form: different encodings of the same letter are one key.
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
