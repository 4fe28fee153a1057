/// Key-value changes that the app has not yet been told about.
struct KeyValueNews: Sendable {
    private(set) var reason: KeyValueReason?
    private(set) var keys: Set<String> = []

    /// Adds changes, possibly none. Of several reasons the most significant stays: a different
    /// account, then an account's first values.
    mutating func add(_ added: KeyValueReason, _ keys: Set<String>) {
        if added.rawValue >= reason?.rawValue ?? 0 { reason = added }
        self.keys.formUnion(keys)
    }
}

/// Why key values changed externally, in Apple's numbers.
enum KeyValueReason: Int, Sendable {
    /// Another device or process changed them.
    case server = 0
    /// An account's first values arrived.
    case initialSync = 1
    /// There is no room for the values set.
    case quotaViolation = 2
    /// A different account is signed in.
    case account = 3
}
