import StoreDatabase
import StoreModel
import StoreRules

/// What a world is from its first commit on.
struct FoundedWorld: Sendable {
    let id: String
    let leaves: [StoreEnvironment: [UInt8]]
}

extension ReadScope {
    /// Nil for a file that was never founded.
    borrowing func foundedWorld() throws -> FoundedWorld? {
        guard let world = try row("SELECT id FROM world") else { return nil }
        let leaves = try rows("SELECT kind, leaf FROM environment").map { row in
            (try StoreEnvironment(stored: row.text(0)), row.blob(1))
        }
        return FoundedWorld(id: world.text(0), leaves: Dictionary(uniqueKeysWithValues: leaves))
    }

    borrowing func clock() throws -> WorldClock {
        guard let row = try row("SELECT mode, offset_ms, held_ms FROM clock WHERE id = 1") else {
            throw DatabaseError(code: .other, detail: "the world has no clock")
        }
        return row.text(0) == "held"
            ? .held(at: Timestamp(milliseconds: row.integer(2)))
            : .real(offsetMilliseconds: row.integer(1))
    }

    /// When the newest event happened.
    borrowing func lastEvent() throws -> Timestamp {
        Timestamp(
            milliseconds: try row("SELECT at_ms FROM event ORDER BY number DESC LIMIT 1")?
                .integer(0) ?? 0)
    }

    /// When the newest event, restore, entry of the ledger or request for a payment happened, by the world's clock.
    borrowing func lastRecorded() throws -> Timestamp {
        let entry = try row("SELECT at_ms FROM ledger_entry ORDER BY number DESC LIMIT 1")
        let restore = try row("SELECT coalesce(max(given_ms), 0) FROM restore_page")
        let payment = try row("SELECT asked_ms FROM payment ORDER BY number DESC LIMIT 1")
        let others = [entry, restore, payment].map { Timestamp(milliseconds: $0?.integer(0) ?? 0) }
        return others.reduce(try lastEvent()) { max($0, $1) }
    }
}

/// Before an environment's name: the sequence that keeps what worlds before this one came to.
private let freeNumberPrefix = "transaction/"

extension ReadScope {
    /// The first transaction number of each environment that no world of this name ever came to.
    borrowing func freeTransactionNumbers() throws -> [StoreEnvironment: Int64] {
        let found = try rows(
            """
            SELECT kind, transaction_next, next FROM environment
            LEFT JOIN sequence ON name = '\(freeNumberPrefix)' || kind
            """
        ).map { row in
            (
                try StoreEnvironment(stored: row.text(0)),
                max(row.integer(1), row.integerOrNil(2) ?? 0)
            )
        }
        return Dictionary(uniqueKeysWithValues: found)
    }

    /// How many rows each of some tables has.
    borrowing func counts(of tables: [String]) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for table in tables {
            counts[table] = Int(try row("SELECT count(*) FROM \(table)")?.integer(0) ?? 0)
        }
        return counts
    }
}

extension WriteScope {
    /// Makes a copied world another one: an identifier and leaves of its own, no device knows it,
    /// and its numbers go on where those of the world before it ended.
    borrowing func refound(
        _ name: WorldName, id: String, leaves: [(StoreEnvironment, [UInt8])],
        numbers: [StoreEnvironment: Int64]
    ) throws {
        try execute(
            "UPDATE world SET name = ?1, id = ?2, is_session = ?3",
            [.text(name.text), .text(id), .integer(name.isDefault ? 0 : 1)])
        for (environment, leaf) in leaves {
            try execute(
                "UPDATE environment SET leaf = ?2 WHERE kind = ?1",
                [.text(environment.rawValue), .blob(leaf)])
        }
        try execute("DELETE FROM device_token")
        try raiseTransactionNumbers(to: numbers)
    }

    /// Numbers that a world before this one gave out are never given again.
    borrowing func raiseTransactionNumbers(to numbers: [StoreEnvironment: Int64]) throws {
        for (environment, number) in numbers {
            try execute(
                """
                UPDATE environment SET transaction_next = ?2
                WHERE kind = ?1 AND transaction_next < ?2
                """, [.text(environment.rawValue), .integer(number)])
        }
    }

    /// Keeps what worlds before this one came to, for the one that will be put in its place; this
    /// one's own numbers stay as they are.
    borrowing func keepFreeTransactionNumbers(_ numbers: [StoreEnvironment: Int64]) throws {
        for (environment, number) in numbers {
            try execute(
                """
                INSERT INTO sequence (name, next) VALUES (?1, ?2)
                ON CONFLICT (name) DO UPDATE SET next = excluded.next
                    WHERE sequence.next < excluded.next
                """, [.text(freeNumberPrefix + environment.rawValue), .integer(number)])
        }
    }

    /// Sets where an environment's numbers begin; only in a world without transactions.
    borrowing func setTransactionStart(
        _ number: Int64, in environment: StoreEnvironment
    ) throws {
        try execute(
            "UPDATE environment SET transaction_next = ?2 WHERE kind = ?1",
            [.text(environment.rawValue), .integer(number)])
    }

    /// Deletes everybody and everything that happened, and starts the clock anew; what is for sale
    /// stays as it is at `now`, the moment that the clock showed.
    borrowing func deleteHistory(now: Timestamp) throws {
        try execute("INSERT INTO history_reset (id) VALUES (1)")
        for table in WorldSchema.historyTables { try execute("DELETE FROM \(table)") }
        try execute("DELETE FROM history_reset")
        try settleProducts()
        try settlePrices(now: now)
        try setClock(.real(offsetMilliseconds: 0))
    }

    borrowing func found(
        _ name: WorldName, id: String, leaves: [(StoreEnvironment, [UInt8])], now: Timestamp,
        numberOffset: Int64
    ) throws {
        try execute(
            "INSERT INTO world (name, id, is_session, created_ms) VALUES (?1, ?2, ?3, ?4)",
            [
                .text(name.text), .text(id), .integer(name.isDefault ? 0 : 1),
                .integer(now.milliseconds),
            ])
        try execute("INSERT INTO clock (id, mode, offset_ms, held_ms) VALUES (1, 'real', 0, 0)")
        for (environment, leaf) in leaves {
            let numbers = environment.transactionNumbers
            try execute(
                """
                INSERT INTO environment (kind, transaction_next, transaction_last, leaf, pace)
                VALUES (?1, ?2, ?3, ?4, ?5)
                """,
                [
                    .text(environment.rawValue), .integer(numbers.lowerBound + numberOffset),
                    .integer(numbers.upperBound), .blob(leaf),
                    .text(RenewalPace.usual(in: environment).rawValue),
                ])
        }
    }

    borrowing func setClock(_ clock: WorldClock) throws {
        let (mode, offset, held): (String, Int64, Int64) =
            switch clock {
            case .real(let offset): ("real", offset, 0)
            case .held(let time): ("held", 0, time.milliseconds)
            }
        try execute(
            "UPDATE clock SET mode = ?1, offset_ms = ?2, held_ms = ?3 WHERE id = 1",
            [.text(mode), .integer(offset), .integer(held)])
    }

    /// The next number of a sequence, from 1.
    ///
    /// Two statements: for `RETURNING`, SQLite makes a table of its own each time.
    borrowing func next(_ sequence: String) throws -> Int64 {
        try execute(
            """
            INSERT INTO sequence (name, next) VALUES (?1, 2)
            ON CONFLICT (name) DO UPDATE SET next = sequence.next + 1
            """, [.text(sequence)])
        let row = try row("SELECT next - 1 FROM sequence WHERE name = ?1", [.text(sequence)])
        guard let row else {
            throw DatabaseError(code: .other, detail: "no number for \(sequence)")
        }
        return row.integer(0)
    }

    /// The next transaction number of an environment.
    borrowing func nextTransactionID(_ environment: StoreEnvironment) throws -> TransactionID {
        let kind = SQLValue.text(environment.rawValue)
        let taken = try execute(
            """
            UPDATE environment SET transaction_next = transaction_next + 1
            WHERE kind = ?1 AND transaction_next <= transaction_last
            """, [kind])
        guard taken == 1,
            let row = try row(
                "SELECT transaction_next - 1 FROM environment WHERE kind = ?1", [kind])
        else {
            throw DatabaseError(
                code: .other, detail: "the transaction numbers of \(environment) are used up")
        }
        return TransactionID(row.integer(0))
    }
}

extension RawRepresentable where RawValue == String {
    /// A value read back from a column that only ever holds names of this type.
    init(stored text: String) throws(DatabaseError) {
        guard let value = Self(rawValue: text) else {
            throw DatabaseError(code: .notADatabase, detail: "\"\(text)\" is no \(Self.self)")
        }
        self = value
    }
}
