/// An app's user name that is a UUID, as servers see it: in lowercase, however the app wrote it.
package struct AppAccountToken: Hashable, Sendable {
    package let text: String

    /// Nil for a name that is not a UUID, which servers do not see.
    package init?(applicationUsername name: String) {
        guard isUUID(name) else { return nil }
        text = name.lowercased()
    }

    /// Whether two of the app's user names mean the same user: the same text, or the same UUID.
    package static func areSame(_ one: String, _ other: String) -> Bool {
        if one == other { return true }
        guard let token = AppAccountToken(applicationUsername: one) else { return false }
        return token == AppAccountToken(applicationUsername: other)
    }
}
