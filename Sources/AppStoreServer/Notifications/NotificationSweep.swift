import StoreDatabase
import StoreModel
import Synchronization

/// Deletes a world's notifications that are older than any history reaches, by the world's clock, a
/// few in each commit.
///
/// Those with an attempt to come stay.
final class NotificationSweep: Sendable {
    private struct State {
        /// Where the present pass goes on.
        var place = NotificationNumber(0)
        /// When the last pass ended: the file says the same, but would be asked with each turn.
        var endedAt: Timestamp?
    }

    private static let batchMax = 256
    private static let pauseMilliseconds = Timestamp.dayMilliseconds

    private let state = Mutex(State())
    private let database: Database
    private let time: WorldTime

    init(database: Database, time: WorldTime) {
        self.database = database
        self.time = time
    }

    /// Deletes a commit's worth, if it is time to; returns whether there may be more.
    func step() throws -> Bool {
        let now = time.now()
        let place = state.withLock { state -> NotificationNumber? in
            if let ended = state.endedAt, now >= ended,
                now < ended.adding(milliseconds: Self.pauseMilliseconds)
            {
                return nil
            }
            return state.place
        }
        guard let place else { return false }
        let begin = now.adding(
            milliseconds: -Limits.notificationDays * Timestamp.dayMilliseconds)
        let old = try database.read { scope in
            try scope.notifications(
                madeBefore: begin, now: now, after: place, countMax: Self.batchMax)
        }
        if !old.numbers.isEmpty {
            try database.write { try $0.deleteNotifications(old.numbers) }
        }
        state.withLock { state in
            state.place = old.end ?? NotificationNumber(0)
            state.endedAt = old.end == nil ? now : nil
        }
        return old.end != nil
    }
}

extension ReadScope {
    /// The oldest notifications after a place with nothing to come, if they were made before a
    /// moment; and the last that was looked at, if there may be more.
    fileprivate borrowing func notifications(
        madeBefore moment: Timestamp, now: Timestamp, after place: NotificationNumber,
        countMax: Int
    ) throws -> (numbers: [NotificationNumber], end: NotificationNumber?) {
        let found = try rows(
            """
            SELECT number, made_ms, due_ms FROM notification
            WHERE number > ?1 ORDER BY number LIMIT ?2
            """, [place, countMax])
        var numbers: [NotificationNumber] = []
        for row in found {
            let madeAt: Timestamp = try row["made_ms"]
            // They were made in the order of their numbers, but for tests before a clock was set
            // back: these are of the future.
            if madeAt > now { continue }
            guard madeAt < moment else { return (numbers, nil) }
            let due: Timestamp? = try row["due_ms"]
            if due == nil { numbers.append(try row["number"]) }
        }
        return (numbers, found.count < countMax ? nil : try found.last?["number"])
    }
}

extension WriteScope {
    /// Deletes notifications, but for those that were made due meanwhile, with their attempts and
    /// the headers that no other shares.
    borrowing func deleteNotifications(_ numbers: [NotificationNumber]) throws {
        for number in numbers {
            try deleteNotifications("number = ?1 AND due_ms IS NULL", [number])
        }
        try deleteUnusedHeads()
    }

    /// Deletes an account's notifications that no attempt is to come for.
    borrowing func deleteNotifications(of account: AccountID) throws {
        try deleteNotifications("account_id = ?1 AND due_ms IS NULL", [account])
        try deleteUnusedHeads()
    }

    private borrowing func deleteNotifications(
        _ condition: String, _ values: [any ColumnValue]
    ) throws {
        for (table, column) in [
            ("notification_attempt", "notification_number"), ("notification_text", "number"),
        ] {
            try execute(
                """
                DELETE FROM \(table)
                WHERE \(column) IN (SELECT number FROM notification WHERE \(condition))
                """, values)
        }
        try execute("DELETE FROM notification WHERE \(condition)", values)
    }

    /// Deletes the headers that no notification has.
    private borrowing func deleteUnusedHeads() throws {
        try execute(
            """
            DELETE FROM signed_head WHERE NOT EXISTS (
                SELECT 1 FROM notification WHERE head_number = signed_head.number)
            """)
    }
}
