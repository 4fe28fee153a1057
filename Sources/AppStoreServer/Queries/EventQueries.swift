import StoreDatabase
import StoreModel

/// One fact in a world's history.
struct Event: Sendable {
    enum Kind: String, Sendable {
        case purchased
        case finished
    }

    let number: EventNumber
    let kind: Kind
    let transaction: DeliveredTransaction
}

extension ReadScope {
    /// The number of the newest event; 0 in a world without any.
    borrowing func lastEventNumber() throws -> EventNumber {
        EventNumber(try row("SELECT coalesce(max(number), 0) FROM event")?.integer(0) ?? 0)
    }

    /// What happened to an account in an app after a position, oldest first.
    borrowing func events(
        of account: AccountID, in app: AppID, after position: EventNumber, countMax: Int
    ) throws -> [Event] {
        let found = try rows(
            """
            SELECT event.number, event.kind, event.transaction_id, device.guid
            FROM event
            JOIN store_transaction ON store_transaction.id = event.transaction_id
            JOIN device ON device.id = store_transaction.device_id
            WHERE event.account_id = ?1 AND event.app_id = ?2 AND event.number > ?3
            ORDER BY event.number LIMIT ?4
            """,
            [
                .integer(account.rawValue), .integer(app.rawValue), .integer(position.rawValue),
                .integer(Int64(countMax)),
            ])
        var events: [Event] = []
        for row in found {
            guard let transaction = try transaction(TransactionID(row.integer(2))) else {
                throw DatabaseError(code: .notADatabase, detail: "event without transaction")
            }
            events.append(
                Event(
                    number: EventNumber(row.integer(0)),
                    kind: try Event.Kind(stored: row.text(1)),
                    transaction: DeliveredTransaction(
                        transaction: transaction, deviceGuid: row.text(3))))
        }
        return events
    }

    borrowing func cursor(of reader: String) throws -> EventNumber? {
        try row("SELECT number FROM event_cursor WHERE reader = ?1", [.text(reader)])
            .map { EventNumber($0.integer(0)) }
    }
}

extension WriteScope {
    @discardableResult
    borrowing func addEvent(
        _ kind: Event.Kind, of transaction: StoreTransaction, at time: Timestamp
    ) throws -> EventNumber {
        let number = try next("event")
        try execute(
            """
            INSERT INTO event (number, environment, app_id, account_id, kind, transaction_id, at_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """,
            [
                .integer(number), .text(transaction.environment.rawValue),
                .integer(transaction.app.rawValue), .integer(transaction.account.rawValue),
                .text(kind.rawValue), .integer(transaction.id.rawValue),
                .integer(time.milliseconds),
            ])
        return EventNumber(number)
    }

    /// Remembers how far a reader came.
    borrowing func saveCursor(_ number: EventNumber, of reader: String, now: Timestamp) throws {
        try execute(
            """
            INSERT INTO event_cursor (reader, number, changed_ms) VALUES (?1, ?2, ?3)
            ON CONFLICT (reader) DO UPDATE SET number = ?2, changed_ms = ?3
            """, [.text(reader), .integer(number.rawValue), .integer(now.milliseconds)])
    }
}
