/// An app's user name that is a UUID, as servers are told of it: in small letters, however the app
/// wrote it.
package struct AppAccountToken: Hashable, Sendable {
    package let text: String

    /// Nil for a name that is no UUID, which no server is told.
    package init?(applicationUsername name: String) {
        guard isUUID(name) else { return nil }
        text = name.lowercased()
    }

    /// Whether two of the app's user names are of the same user: the same text, or the same UUID.
    package static func areSame(_ one: String, _ other: String) -> Bool {
        if one == other { return true }
        guard let token = AppAccountToken(applicationUsername: one) else { return false }
        return token == AppAccountToken(applicationUsername: other)
    }
}
