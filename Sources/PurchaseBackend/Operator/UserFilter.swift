import StoreHTTP
import StoreService

/// The users that an operator wants to see.
struct UserFilter: Hashable, Sendable {
    /// The beginning of their names.
    private var search = ""
    /// The name of the last user of the previous page.
    var after: String?
    var countMax = BackendLimits.lookupDefault

    /// The keys of names that begin with the text: from the first, and below the second.
    var start: String { UserCredentials.key(of: search) }
    /// No name has a character above the last one.
    var end: String { start + "\u{10FFFF}" }

    /// Reads the query of `GET /operator/v1/users`; names the item that is wrong.
    init(_ query: [(name: String, value: String)]) throws(Refusal) {
        try SubmissionFilter.read(query) { (name, value) throws(Refusal) in try set(name, value) }
    }

    private mutating func set(_ name: String, _ value: String) throws(Refusal) {
        switch name {
        case "search": search = try SubmissionFilter.word(name, value)
        case "after": after = try SubmissionFilter.word(name, value)
        case "limit": countMax = try SubmissionFilter.limit(value)
        default:
            throw SubmissionFilter.bad(
                "This query item is unknown; known are search, limit and after.")
        }
    }
}
