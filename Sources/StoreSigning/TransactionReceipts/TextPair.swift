/// One entry of an old property list: a key and its text.
package struct TextPair: Hashable, Sendable {
    package let key: String
    package let value: String

    package init(_ key: String, _ value: String) {
        self.key = key
        self.value = value
    }
}
