/// The limits of a key-value store, for one account in one app: Apple's figures, except for the
/// depth.
package enum KeyValueLimits {
    /// Keys that have a value.
    package static let keysMax = 1_024
    /// Bytes of a key, in UTF-8.
    package static let keyBytesMax = 64
    /// Bytes of all values together, and so of a single one.
    package static let bytesMax = 1 << 20
    /// The maximum nesting of arrays and dictionaries.
    package static let depthMax = 32
    /// Keys that one request changes: it may remove all existing ones and add as many.
    package static let changesMax = 4_096

    /// Whether a key is valid; control characters other than NUL are allowed.
    package static func isKey(_ key: String) -> Bool {
        (1...keyBytesMax).contains(key.utf8.count) && !key.utf8.contains(0)
    }
}
