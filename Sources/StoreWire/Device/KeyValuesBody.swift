/// A key and its value.
package struct KeyValueBody: Codable, Hashable, Sendable {
    package let key: String
    /// Nil when the key was removed, or is to be.
    package let value: PropertyListValue?

    package init(key: String, value: PropertyListValue?) {
        self.key = key
        self.value = value
    }
}

/// `GET /device/v1/key-values?after=N&wait=S`: the changes in the key-value store of the account in
/// this app since revision N, waiting up to S seconds (25 at most) for the first change.
package struct KeyValuesBody: Codable, Hashable, Sendable {
    /// Counts the changes; 0 before the first.
    package let revision: Int64
    /// Whether these are all keys that have a value, instead of the changes.
    package let isWhole: Bool
    package let entries: [KeyValueBody]

    package init(revision: Int64, isWhole: Bool, entries: [KeyValueBody]) {
        self.revision = revision
        self.isWhole = isWhole
        self.entries = entries
    }
}

/// `PUT /device/v1/key-values`: changes that are made together or not at all; the answer has the
/// changes after a revision, including these.
///
/// The same id with the same changes is applied once, however often it is repeated; the same id
/// with others is refused with 409.
package struct ChangeKeyValuesBody: Codable, Hashable, Sendable {
    /// A UUID in uppercase.
    package let requestId: String
    /// The revision that the device has; 0 when it has none.
    package let after: Int64
    /// Whether the device wrote them before it knew any of the account's values: keys that already
    /// have a value then keep it.
    package let isInitial: Bool
    /// Each key once.
    package let changes: [KeyValueBody]

    package init(requestId: String, after: Int64, isInitial: Bool, changes: [KeyValueBody]) {
        self.requestId = requestId
        self.after = after
        self.isInitial = isInitial
        self.changes = changes
    }
}

/// `GET /control/v1/apps/{bundleId}/key-values?account=NAME`: the same as the store's owner sees
/// it.
package struct AccountKeyValuesBody: Codable, Hashable, Sendable {
    package let account: String
    package let revision: Int64
    /// The total size of the values.
    package let byteCount: Int
    /// By key, each with a value.
    package let entries: [KeyValueBody]

    package init(account: String, revision: Int64, byteCount: Int, entries: [KeyValueBody]) {
        self.account = account
        self.revision = revision
        self.byteCount = byteCount
        self.entries = entries
    }
}
