import StoreModel

/// The outcome of changes to a key-value store.
package enum KeyValueRules {
    /// A key's current or new value.
    package struct Content: Hashable, Sendable {
        /// The value as JSON, byte for byte; nil for a key that was removed.
        package let value: [UInt8]?
        /// The counted size of the value; 0 without one.
        package let byteCount: Int

        package init(value: [UInt8]?, byteCount: Int) {
            self.value = value
            self.byteCount = byteCount
        }

        package static let removed = Content(value: nil, byteCount: 0)
    }

    /// A key to change; the keys of one request differ.
    package struct Change: Hashable, Sendable {
        package let key: String
        package let wanted: Content
        /// Its current value.
        package let present: Content

        package init(key: String, wanted: Content, present: Content) {
            self.key = key
            self.wanted = wanted
            self.present = present
        }
    }

    /// How many keys have a value, and the total size of the values.
    package struct Size: Hashable, Sendable {
        package let keys: Int
        package let bytes: Int

        package init(keys: Int, bytes: Int) {
            self.keys = keys
            self.bytes = bytes
        }
    }

    package enum Verdict: Hashable, Sendable {
        /// The changes that have an effect are made; there may be none.
        case made([Change])
        /// No change is made: the store would reach this size.
        case full(Size)
    }

    /// Makes all changes or none. With `keepsOld`, keys that have a value keep it.
    package static func decide(
        _ changes: [Change], keepsOld: Bool, size: Size
    ) -> Verdict {
        let made = changes.filter { change in
            change.wanted.value != change.present.value
                && !(keepsOld && change.present.value != nil)
        }
        let next = made.reduce(size) { size, change in
            func count(_ content: Content) -> Int { content.value == nil ? 0 : 1 }
            return Size(
                keys: size.keys + count(change.wanted) - count(change.present),
                bytes: size.bytes + change.wanted.byteCount - change.present.byteCount)
        }
        let fits =
            next.keys <= KeyValueLimits.keysMax && next.bytes <= KeyValueLimits.bytesMax
        return fits || made.isEmpty ? .made(made) : .full(next)
    }
}
