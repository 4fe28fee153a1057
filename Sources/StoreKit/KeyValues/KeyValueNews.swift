/// What the app has not been told of key values yet.
struct KeyValueNews: Sendable {
    private(set) var reason: KeyValueReason?
    private(set) var keys: Set<String> = []

    /// Adds changes, which may be none. Of several reasons the one that says most stays: another account, then an
    /// account's first values.
    mutating func add(_ added: KeyValueReason, _ keys: Set<String>) {
        if added.rawValue >= reason?.rawValue ?? 0 { reason = added }
        self.keys.formUnion(keys)
    }
}

/// Why key values changed without the app's doing, in Apple's numbers.
enum KeyValueReason: Int, Sendable {
    /// Another device or process changed them.
    case server = 0
    /// The first values of an account came.
    case initialSync = 1
    /// There is no room for what was set.
    case quotaViolation = 2
    /// Somebody else is signed in.
    case account = 3
}
