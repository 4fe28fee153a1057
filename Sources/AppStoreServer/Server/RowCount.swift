import StoreDatabase
import StoreModel
import StoreService
import StoreWire

/// A statement that counts rows and costs the same however many there are: it looks at so many of
/// them and no more, which is the last of its values.
struct RowCount: Sendable {
    let sql: String

    /// `rows` selects the column `fits`, which says of each row whether it counts; `place` is that of
    /// the last value.
    init(_ rows: String, lookingAt place: String) {
        sql = """
            SELECT coalesce(sum(fits), 0) AS counted, count(*) AS looked_at
            FROM (\(rows) LIMIT \(place)) AS found
            """
    }
}

/// The same for subscriptions in each phase; `rows` selects the column `phase`.
struct PhaseCount: Sendable {
    let sql: String

    init(_ rows: String, lookingAt place: String) {
        sql = """
            SELECT phase, count(*) AS counted FROM (\(rows) LIMIT \(place)) AS found GROUP BY phase
            """
    }
}

extension ReadScope {
    borrowing func count(
        _ count: RowCount, _ values: [any ColumnValue],
        lookingAt lookedAtMax: Int = Limits.rowsLookedAtMax
    ) throws -> CountBody {
        guard let row = try row(count.sql, values + [lookedAtMax]) else {
            return CountBody(count: 0, isExact: true)
        }
        let lookedAt: Int = try row["looked_at"]
        return CountBody(count: try row["counted"], isExact: lookedAt < lookedAtMax)
    }

    borrowing func count(
        _ count: PhaseCount, _ values: [any ColumnValue],
        lookingAt lookedAtMax: Int = Limits.rowsLookedAtMax
    ) throws -> SubscriptionCountsBody {
        var counts: [Subscription.Phase.Name: Int] = [:]
        for row in try rows(count.sql, values + [lookedAtMax]) {
            let phase: String = try row["phase"]
            guard let name = Subscription.Phase.Name(rawValue: phase) else {
                throw DatabaseError(code: .notADatabase, detail: "\"\(phase)\" is not a phase")
            }
            counts[name] = try row["counted"]
        }
        return SubscriptionCountsBody(
            counts, isExact: counts.values.reduce(0, +) < lookedAtMax)
    }
}
