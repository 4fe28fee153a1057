import StoreHTTP
import StoreService

/// The subscriptions that an operator wants to see; every filter that is set must match.
struct SubscriptionFilter: Hashable, Sendable {
    /// A user's name or identifier.
    var user: String?
    /// A transaction, the newest or the original one.
    var transaction: String?
    /// Only those whose last check failed.
    var hasTrouble = false
    /// The row of the last subscription of the previous page.
    var after: Int64?
    var countMax = BackendLimits.lookupDefault

    /// Reads the query of `GET /operator/v1/subscriptions`; names the item that is wrong.
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
                throw Self.bad("after must be the nextAfter of the previous page.")
            }
            after = row
        case "limit": countMax = try SubmissionFilter.limit(value)
        default:
            throw Self.bad(
                "This query item is unknown; known are user, transaction, trouble, limit and "
                    + "after.")
        }
    }

    private static func bad(_ message: String) -> Refusal { SubmissionFilter.bad(message) }
}
