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
