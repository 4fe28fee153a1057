/// What a key-value store takes, for one account in one app: Apple's figures, but for the depth.
package enum KeyValueLimits {
    /// Keys that have a value.
    package static let keysMax = 1_024
    /// Bytes of a key, in UTF-8.
    package static let keyBytesMax = 64
    /// Bytes of all values together, and so of a single one.
    package static let bytesMax = 1 << 20
    /// How deep arrays and dictionaries may stand in each other.
    package static let depthMax = 32
    /// Keys that one request changes: all there are may go, and as many come.
    package static let changesMax = 4_096

    /// Whether a key can be one; its control characters do not matter, but for NUL.
    package static func isKey(_ key: String) -> Bool {
        (1...keyBytesMax).contains(key.utf8.count) && !key.utf8.contains(0)
    }
}
