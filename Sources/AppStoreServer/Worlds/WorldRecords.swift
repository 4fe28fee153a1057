import StoreDatabase
import StoreModel
import StoreRules

/// A world's identity from its first commit on.
struct FoundedWorld: Sendable {
    let id: String
    /// The leaf certificates of receipts.
    var leaves: [StoreEnvironment: [UInt8]]
}

extension ReadScope {
    /// Nil for a file without a world.
    borrowing func foundedWorld() throws -> FoundedWorld? {
        guard let id: String = try value("SELECT id FROM world") else { return nil }
        var world = FoundedWorld(id: id, leaves: [:])
        for row in try rows("SELECT kind, leaf FROM environment") {
            let environment: StoreEnvironment = try row["kind"]
            world.leaves[environment] = try row["leaf"]
        }
        return world
    }

    borrowing func sandboxName() throws -> SandboxName {
        try value("SELECT sandbox_name FROM world") ?? .sandbox
    }

    /// The name of an environment in signed data.
    borrowing func signedName(of environment: StoreEnvironment) throws -> String {
        switch environment {
        case .production: environment.wireName
        case .sandbox: try sandboxName().rawValue
        }
    }

    borrowing func clock() throws -> WorldClock {
        guard let row = try row("SELECT mode, offset_ms, held_ms FROM clock WHERE id = 1") else {
            throw DatabaseError(code: .other, detail: "the world has no clock")
        }
        let mode: String = try row["mode"]
        return mode == "held"
            ? .held(at: try row["held_ms"])
            : .real(offsetMilliseconds: try row["offset_ms"])
    }

    /// When the newest event happened.
    borrowing func lastEvent() throws -> Timestamp {
        try value("SELECT at_ms FROM event ORDER BY number DESC LIMIT 1")
            ?? Timestamp(milliseconds: 0)
    }

    /// The time of the newest event, restore, ledger entry or payment request, by the world's
    /// clock.
    borrowing func lastRecorded() throws -> Timestamp {
        let entry: Timestamp? = try value(
            "SELECT at_ms FROM ledger_entry ORDER BY number DESC LIMIT 1")
        let restore: Timestamp? = try value("SELECT max(given_ms) FROM restore_page")
        let payment: Timestamp? = try value(
            "SELECT asked_ms FROM payment ORDER BY number DESC LIMIT 1")
        return [entry, restore, payment].compactMap { $0 }.reduce(try lastEvent()) { max($0, $1) }
    }
}

/// The lowest number of an app transaction; a world begins within the next 10^15.
private let firstAppTransaction: Int64 = 500_000_000_000_000

/// The prefix of the sequences that keep the numbers of earlier worlds, one for each environment's
/// transactions.
let freeNumberPrefix = "transaction/"
/// The one of app transactions.
private let freeAppTransactionSequence = freeNumberPrefix + "app"

/// The first numbers that no world of a name ever reached.
struct FreeNumbers: Sendable {
    let transactions: [StoreEnvironment: Int64]
    let appTransaction: Int64
}

extension ReadScope {
    /// The numbers with which this world's successor may begin.
    borrowing func freeNumbers() throws -> FreeNumbers {
        FreeNumbers(
            transactions: try freeTransactionNumbers(),
            appTransaction: try value(
                "SELECT max(next) FROM sequence WHERE name IN (?1, ?2)",
                [appTransactionSequence, freeAppTransactionSequence]) ?? firstAppTransaction
        )
    }

    private borrowing func freeTransactionNumbers() throws -> [StoreEnvironment: Int64] {
        let found: [(StoreEnvironment, Int64)] = try rows(
            """
            SELECT kind, transaction_next, next FROM environment
            LEFT JOIN sequence ON name = '\(freeNumberPrefix)' || kind
            """
        ).map { row in
            (
                try row["kind"],
                max(try row["transaction_next"], try row["next"] ?? 0)
            )
        }
        return Dictionary(uniqueKeysWithValues: found)
    }

    /// How many rows each of some tables has.
    borrowing func counts(of tables: [String]) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for table in tables {
            counts[table] = Int(try value("SELECT count(*) FROM \(table)") ?? 0)
        }
        return counts
    }
}

extension WriteScope {
    /// Makes a copy a world of its own: with a new identifier and leaves, without devices, and with
    /// numbers that continue those of the world before it.
    borrowing func refound(
        _ name: WorldName, id: String, leaves: [(StoreEnvironment, [UInt8])],
        numbers: FreeNumbers
    ) throws {
        try execute(
            "UPDATE world SET name = ?1, id = ?2, is_session = ?3",
            [name.text, id, name.isDefault ? 0 : 1])
        for (environment, leaf) in leaves {
            try execute(
                "UPDATE environment SET leaf = ?2 WHERE kind = ?1", [environment, leaf])
        }
        try execute("DELETE FROM data_certificate")
        try execute("DELETE FROM device_token")
        try raiseNumbers(to: numbers)
    }

    /// Makes sure that numbers of earlier worlds are never used again.
    borrowing func raiseNumbers(to numbers: FreeNumbers) throws {
        for (environment, number) in numbers.transactions {
            try execute(
                """
                UPDATE environment SET transaction_next = ?2
                WHERE kind = ?1 AND transaction_next < ?2
                """, [environment, number])
        }
        try execute(
            "UPDATE sequence SET next = ?2 WHERE name = ?1 AND next < ?2",
            [appTransactionSequence, numbers.appTransaction])
    }

    /// Keeps the numbers that earlier worlds reached, for this world's successor; its own numbers
    /// stay as they are.
    borrowing func keepForSuccessor(_ numbers: FreeNumbers) throws {
        var kept = [freeAppTransactionSequence: numbers.appTransaction]
        for (environment, number) in numbers.transactions {
            kept[freeNumberPrefix + environment.rawValue] = number
        }
        for (name, number) in kept {
            try insert(
                into: "sequence", ["name": name, "next": number],
                "ON CONFLICT (name) DO UPDATE SET next = excluded.next WHERE sequence.next < excluded.next"
            )
        }
    }

    /// Sets where an environment's numbers begin; only in a world without transactions.
    borrowing func setTransactionStart(
        _ number: Int64, in environment: StoreEnvironment
    ) throws {
        try execute(
            "UPDATE environment SET transaction_next = ?2 WHERE kind = ?1", [environment, number])
    }

    /// Deletes all customers and events, and starts the clock anew; the catalogue stays as it is at
    /// `now`, the moment that the clock showed.
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
        numberOffset: Int64, sandboxName: SandboxName = .sandbox
    ) throws {
        try insert(
            into: "world",
            [
                "name": name.text, "id": id, "is_session": name.isDefault ? 0 : 1,
                "created_ms": now, "sandbox_name": sandboxName,
            ])
        try execute("INSERT INTO clock (id, mode, offset_ms, held_ms) VALUES (1, 'real', 0, 0)")
        try insert(
            into: "sequence",
            [
                "name": appTransactionSequence,
                "next": firstAppTransaction + numberOffset,
            ])
        for (environment, leaf) in leaves {
            let numbers = environment.transactionNumbers
            try insert(
                into: "environment",
                [
                    "kind": environment, "transaction_next": numbers.lowerBound + numberOffset,
                    "transaction_last": numbers.upperBound, "leaf": leaf,
                    "pace": RenewalPace.usual(in: environment),
                ])
        }
    }

    borrowing func setSandboxName(_ name: SandboxName) throws {
        try execute("UPDATE world SET sandbox_name = ?1", [name])
    }

    borrowing func setClock(_ clock: WorldClock) throws {
        let (mode, offset, held): (String, Int64, Int64) =
            switch clock {
            case .real(let offset): ("real", offset, 0)
            case .held(let time): ("held", 0, time.milliseconds)
            }
        try execute(
            "UPDATE clock SET mode = ?1, offset_ms = ?2, held_ms = ?3 WHERE id = 1",
            [mode, offset, held])
    }

    /// The next number of a sequence, from 1.
    ///
    /// Uses two statements: for `RETURNING`, SQLite makes a temporary table each time.
    borrowing func next(_ sequence: String) throws -> Int64 {
        try take(sequence)
        let number: Int64? = try value(
            "SELECT next - 1 FROM sequence WHERE name = ?1", [sequence])
        guard let number else {
            throw DatabaseError(code: .other, detail: "the sequence \(sequence) has no number")
        }
        return number
    }

    /// Takes the next number of a sequence, which is then one less than its `next`.
    borrowing func take(_ sequence: String) throws {
        try execute(
            """
            INSERT INTO sequence (name, next) VALUES (?1, 2)
            ON CONFLICT (name) DO UPDATE SET next = sequence.next + 1
            """, [sequence])
    }

    /// The next transaction number of an environment.
    borrowing func nextTransactionID(_ environment: StoreEnvironment) throws -> TransactionID {
        let taken = try execute(
            """
            UPDATE environment SET transaction_next = transaction_next + 1
            WHERE kind = ?1 AND transaction_next <= transaction_last
            """, [environment])
        guard taken == 1,
            let id: TransactionID = try value(
                "SELECT transaction_next - 1 FROM environment WHERE kind = ?1", [environment])
        else {
            throw DatabaseError(
                code: .other, detail: "the transaction numbers of \(environment) are used up")
        }
        return id
    }
}

extension RawRepresentable where RawValue == String {
    /// A value from a column that only holds names of this type.
    init(stored text: String) throws(DatabaseError) {
        guard let value = Self(rawValue: text) else {
            throw DatabaseError(code: .notADatabase, detail: "\"\(text)\" is not a \(Self.self)")
        }
        self = value
    }
}
