import StoreHTTP
import StoreService

/// Which subscriptions an operator wants to see; all of what is set must fit.
struct SubscriptionFilter: Hashable, Sendable {
    /// A user's name or identifier.
    var user: String?
    /// A transaction, the newest or the original one.
    var transaction: String?
    /// Those alone whose last check failed.
    var hasTrouble = false
    /// The row of the last subscription of the page before.
    var after: Int64?
    var countMax = BackendLimits.lookupDefault

    /// Reads the query of `GET /operator/v1/subscriptions`; says which item is wrong.
    init(_ query: [(name: String, value: String)]) throws(Refusal) {
        try SubmissionFilter.read(query, by: "user, transaction or trouble") {
            (name, value) throws(Refusal) in try set(name, value)
        }
    }

    /// Those of a transaction.
    init(transaction: String) {
        self.transaction = transaction
    }

    private mutating func set(_ name: String, _ value: String) throws(Refusal) {
        switch name {
        case "user": user = try SubmissionFilter.word(name, value)
        case "transaction": transaction = try SubmissionFilter.word(name, value)
        case "trouble":
            guard value == "true" else { throw Self.bad("trouble can only be true.") }
            hasTrouble = true
        case "after":
            guard let row = Int64(value), row > 0 else {
                throw Self.bad("after must be the nextAfter of the page before.")
            }
            after = row
        case "limit": countMax = try SubmissionFilter.limit(value)
        default:
            throw Self.bad(
                "There is no such query item here; there are user, transaction, trouble, limit "
                    + "and after.")
        }
    }

    private static func bad(_ message: String) -> Refusal { SubmissionFilter.bad(message) }
}
