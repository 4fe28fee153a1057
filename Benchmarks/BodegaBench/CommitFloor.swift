import AppStoreServer
import CSQLite
import Foundation

/// The rows of a purchase, written by SQLite alone: the cost of durable storage on this machine.
///
/// Tables, indexes, durability and concurrent checkpoints are the store's, but there are no
/// requests, no facts to read and no rules. A commit holds as many purchases as a purchase run has
/// connections.
enum CommitFloor {
    static let purchasesPerCommit = 64
    static let devices: Int64 = 64

    static func run(_ options: Options) throws {
        let path = try options.text("folder") + "/commits.sqlite"
        let seconds = try options.number("seconds")
        let file = try RawSQLite(path)
        try file.prepareTables(WorldSchema.current.tables)
        let statements = try PurchaseRows(file)
        let checkpoints = try RawSQLite(path)
        let isDone = Flag()
        let thread = Thread {
            while !isDone.isSet {
                usleep(100_000)
                checkpoints.checkpoint()
            }
        }
        thread.start()
        var watch = Stopwatch()
        var number: Int64 = 0
        let start = Stopwatch.now()
        while Stopwatch.now() - start < UInt64(seconds * 1e9) {
            try watch.time {
                try file.run("BEGIN IMMEDIATE")
                for _ in 0..<purchasesPerCommit {
                    number += 1
                    try statements.add(number)
                }
                try file.run("COMMIT")
            }
        }
        let spent = Double(Stopwatch.now() - start) / 1e9
        isDone.set()
        let stored = try file.number("SELECT count(*) FROM store_transaction")
        guard stored == number else {
            throw Failure("\(number) purchases were committed but \(stored) are stored")
        }
        try report([
            "rate": Double(number) / spent,
            "p50_ms": Stopwatch.percentile(0.5, of: watch.milliseconds),
            "p99_ms": Stopwatch.percentile(0.99, of: watch.milliseconds),
        ])
    }
}

/// The prepared statements of one purchase.
private struct PurchaseRows {
    private let transaction, attempt, event, sequence, environment, revision, receipt: RawStatement

    init(_ file: RawSQLite) throws {
        try file.run(
            "INSERT INTO app (id, bundle_id, catalogue, storefront, created_ms, changed_ms) "
                + "VALUES (1, 'com.example.bench', x'', 'USA', 0, 0)")
        for device in 1...CommitFloor.devices {
            try file.run(
                "INSERT INTO account (id, environment, name, storefront, password_hash, failures, "
                    + "locked_until_real_ms, created_ms) "
                    + "VALUES (\(device), 'sandbox', 'a\(device)', 'USA', '', 0, NULL, 0)")
            try file.run(
                "INSERT INTO device (id, environment, app_id, guid, app_version, created_ms) "
                    + "VALUES (\(device), 'sandbox', 1, 'g\(device)', '1', 0)")
        }
        try file.run(
            "INSERT INTO environment (kind, transaction_next, transaction_last, leaf) "
                + "VALUES ('sandbox', 2000000000000000, 2000999999999999, x'')")
        try file.run("INSERT INTO sequence VALUES ('event', 1)")
        transaction = try file.prepare(
            """
            INSERT INTO store_transaction (id, original_id, environment, app_id, account_id,
                device_id, attempt_id, product_id, kind, quantity, purchased_ms,
                originally_purchased_ms, charged_milliunits, currency, storefront)
            VALUES (?1, ?1, 'sandbox', 1, ?2, ?2, ?3, 'com.example.bench.fuel', 'consumable', 1,
                1700000000000, 1700000000000, 990, 'USD', 'USA')
            """)
        attempt = try file.prepare(
            """
            INSERT INTO attempt (device_id, attempt_id, account_id, body_digest, state,
                transaction_id, refusal, created_ms, changed_ms)
            VALUES (?2, ?3, ?2, zeroblob(32), 'done', ?1, NULL, 1700000000000, 1700000000000)
            """)
        event = try file.prepare(
            """
            INSERT INTO event (number, environment, app_id, account_id, kind, transaction_id, at_ms)
            VALUES (?1, 'sandbox', 1, ?2, 'purchased', ?1, 1700000000000)
            """)
        sequence = try file.prepare("UPDATE sequence SET next = next + 1 WHERE name = 'event'")
        environment = try file.prepare(
            """
            UPDATE environment SET transaction_next = transaction_next + 1 WHERE kind = 'sandbox'
            """)
        revision = try file.prepare(
            """
            INSERT INTO receipt_revision (account_id, app_id, revision) VALUES (?2, 1, 1)
            ON CONFLICT (account_id, app_id) DO UPDATE SET revision = revision + 1
            """)
        receipt = try file.prepare(
            """
            INSERT INTO device_receipt (device_id, account_id, app_version, revision, opaque,
                created_ms)
            VALUES (?2, ?2, '1.0', ?1, zeroblob(16), 1700000000000)
            ON CONFLICT (device_id) DO UPDATE SET revision = ?1
            """)
    }

    func add(_ number: Int64) throws {
        let device = number % CommitFloor.devices + 1
        let attemptID = UUID().uuidString
        for statement in [
            environment, transaction, attempt, sequence, event, revision, receipt,
        ] {
            try statement.run(number, device, attemptID)
        }
    }
}
