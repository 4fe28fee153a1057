import StoreDatabase
import StoreModel

/// Due renewals up to a moment. Those that wait for a payment are not due.
let dueRenewals = """
    SELECT count(*) AS count, min(due_ms) AS oldest FROM (
        SELECT due_ms FROM subscription
        WHERE due_ms IS NOT NULL AND payment_id IS NULL AND due_ms <= ?1
        ORDER BY due_ms LIMIT ?2)
    """

/// Notifications that are still to be delivered.
let waitingNotifications = """
    SELECT count(*) AS count, min(made_ms) AS oldest FROM (
        SELECT made_ms FROM notification WHERE due_ms IS NOT NULL
        ORDER BY app_id, environment, due_ms, number LIMIT ?1)
    """

/// How many there are, up to a limit, and since when.
struct Backlog: Sendable {
    let count: Int64
    let oldest: Timestamp?

    init(_ row: Row?) throws {
        count = try row?["count"] ?? 0
        oldest = try row?["oldest"]
    }
}

extension ReadScope {
    borrowing func dueRenewalCount(until moment: Timestamp, max: Int64) throws -> Backlog {
        try Backlog(row(dueRenewals, [moment, max]))
    }

    borrowing func waitingNotificationCount(max: Int64) throws -> Backlog {
        try Backlog(row(waitingNotifications, [max]))
    }
}
