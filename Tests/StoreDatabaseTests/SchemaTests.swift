import AppStoreServer
import Foundation
import PurchaseBackend
import TestSupport
import Testing

@testable import StoreDatabase

/// New files, older ones that migrations bring up to date, and files that are refused.
struct SchemaTests {
    private let folder = TemporaryFolder()

    private func path(_ name: String) -> String { folder.path + "/" + name }

    private func make(_ name: String, _ schema: Schema) throws {
        try Database(path: path(name), durability: .processOnly, schema: schema).close()
    }

    /// A shop of sales whose second version has prices and whose third finds them.
    private static let older = Schema(
        oldest: 7, tables: ["CREATE TABLE sale (id BIGINT PRIMARY KEY, CHECK (id > 0))"],
        migrations: [])
    private static let current = Schema(
        oldest: 7,
        tables: [
            """
            CREATE TABLE sale (id BIGINT PRIMARY KEY, price BIGINT NOT NULL DEFAULT 5,
                CHECK (id > 0));
            CREATE INDEX sale_by_price ON sale (price);
            """
        ],
        migrations: [
            Migration(
                number: 8, sql: "ALTER TABLE sale ADD COLUMN price BIGINT NOT NULL DEFAULT 5"),
            Migration(
                number: 9,
                sql: "UPDATE sale SET price = 6; CREATE INDEX sale_by_price ON sale (price)"),
        ])

    @Test func `an older file keeps its rows and becomes what a new one is`() throws {
        let database = try Database(
            path: path("older"), durability: .processOnly, schema: Self.older)
        _ = try database.write { try $0.execute("INSERT INTO sale (id) VALUES (1)") }
        database.close()
        try make("older", Self.current)
        try make("new", Self.current)
        let found = try SchemaDefinitions.read(path: path("older"))
        #expect(try found == SchemaDefinitions.read(path: path("new")))
        let reader = try DatabaseReader(path: path("older"), isInUse: false)
        #expect(
            try reader.rows("SELECT id, price FROM sale").map(\.values) == [
                [.integer(1), .integer(6)]
            ])
        #expect(try reader.schemaNumber() == 9)
        #expect(try DatabaseReader(path: path("new"), isInUse: false).schemaNumber() == 9)
    }

    @Test(arguments: [
        (6, DatabaseError.Code.olderSchema, "move the file away"),
        (10, .newerSchema, "start the newer version"),
    ])
    func `a file that no migration reaches is refused and left alone`(
        number: Int, code: DatabaseError.Code, advice: String
    ) throws {
        let foreign = Schema(oldest: number, tables: ["CREATE TABLE a (b BIGINT)"], migrations: [])
        try make("foreign", foreign)
        let before = try SchemaDefinitions.read(path: path("foreign"))
        let failure = #expect(throws: DatabaseError.self) { try make("foreign", Self.current) }
        #expect(failure?.code == code)
        #expect(failure?.detail.contains("schema \(number)") == true)
        #expect(failure?.detail.contains(advice) == true)
        #expect(try SchemaDefinitions.read(path: path("foreign")) == before)
        try make("foreign", foreign)
    }

    @Test func `a migration that fails changes nothing`() throws {
        try make("older", Self.older)
        let broken = Schema(
            oldest: 7, tables: [],
            migrations: Self.current.migrations + [
                Migration(number: 10, sql: "CREATE TABLE half (a BIGINT); NO STATEMENT AT ALL")
            ])
        #expect(throws: DatabaseError.self) { try make("older", broken) }
        let reader = try DatabaseReader(path: path("older"), isInUse: false)
        #expect(try reader.schemaNumber() == 7)
        #expect(
            try SchemaDefinitions.read(path: path("older"))
                == ["CREATE TABLE sale (CHECK (id > 0), id BIGINT PRIMARY KEY)"])
    }

    /// A change of the tables without its migration, or of only one of the two, is found here.
    @Test(arguments: [("world", WorldSchema.current), ("backend", BackendSchema.current)])
    func `the first schema's file becomes what a new one is`(name: String, schema: Schema) throws {
        let golden = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Golden/\(name)-\(schema.oldest).sql")
        let first = Schema(
            oldest: schema.oldest, tables: [try String(contentsOf: golden, encoding: .utf8)],
            migrations: [])
        try make("first", first)
        try make("first", schema)
        try make("new", schema)
        let definitions = try SchemaDefinitions.read(path: path("new"))
        #expect(try SchemaDefinitions.read(path: path("first")) == definitions)
        let tables = definitions.compactMap { $0.firstMatch(of: /^CREATE TABLE (\w+)/)?.1 }
        #expect(!tables.isEmpty)
        for table in tables {
            #expect(try rows(of: table, in: "first") == rows(of: table, in: "new"), "\(table)")
        }
        #expect(Set(schema.migrations.map(\.number)).count == schema.migrations.count)
        #expect(schema.migrations.map(\.number) == schema.migrations.map(\.number).sorted())
    }

    @Test func `a price increase of schema 100 gets the question that it stands by`() throws {
        func subscription(_ id: Int, _ product: String, _ price: String, _ consent: String)
            -> String
        {
            """
            INSERT INTO subscription (original_id, environment, app_id, account_id,
                subscription_group, newest_id, device_id, fails_billing, phase, product_id,
                period, first_ms, started_ms, expires_ms, anchor_ms, anchor_months,
                price_milliunits, currency, is_auto_renewing, renewal_count, due_ms,
                increase_milliunits, increase_consent)
            VALUES (\(id), 'sandbox', 1, 1, 'group \(id)', \(id), 1, 0, 'active', '\(product)',
                'month', 0, 0, 9, 0, 0, 9990, 'USD', 1, 0, 9, \(price), \(consent));
            """
        }
        func question(_ number: Int, _ product: String, _ price: Int, _ answer: String) -> String {
            """
            INSERT INTO price_consent (number, account_id, app_id, product_id, old_milliunits,
                new_milliunits, currency, asked_ms, answer, answered_ms)
            VALUES (\(number), 1, 1, '\(product)', 9990, \(price), 'USD', 1, \(answer));
            """
        }
        let reader = try migrated(
            "world", WorldSchema.current,
            holding: subscription(1, "silver", "12990", "'pending'")
                + subscription(2, "gold", "19990", "'notNeeded'")
                + subscription(3, "bronze", "NULL", "NULL")
                + question(1, "silver", 12_990, "'declined', 2")
                + question(2, "silver", 12_990, "NULL, NULL")
                + question(3, "gold", 19_990, "'agreed', 2")
                + subscription(4, "iron", "17990", "'agreed'")
                + question(4, "iron", 17_990, "'agreed', 2")
                + question(5, "iron", 17_990, "NULL, NULL")
                + subscription(5, "lead", "15990", "'declined'")
                + question(6, "lead", 15_990, "'declined', 2")
                + question(7, "lead", 16_990, "NULL, NULL"))
        let numbers = try reader.rows(
            "SELECT increase_question FROM subscription ORDER BY original_id")
        #expect(
            numbers.map(\.values) == [
                [.integer(2)], [.null], [.null], [.integer(4)], [.integer(6)],
            ])
    }

    @Test func `a backend's grants of schema 100 that stand are checked from then on`() throws {
        func grant(_ key: Int, _ kind: String, refunded: String = "NULL") -> String {
            """
            INSERT INTO grants (environment, key_transaction, user_id, submission_id, product_id,
                kind, transaction_id, original_transaction_id, quantity, granted_at, refunded_at)
            VALUES ('production', '\(key)', 'u', 's', 'p', '\(kind)', '\(key)', '\(key)', 1, \(key),
                \(refunded));
            """
        }
        let reader = try migrated(
            "backend", BackendSchema.current,
            holding: grant(1, "consumable") + grant(2, "nonConsumable", refunded: "5")
                + grant(3, "autoRenewable") + grant(4, "nonRenewing"))
        let found = try reader.rows("SELECT next_check_at FROM grants ORDER BY key_transaction")
        #expect(found.map(\.values) == [[.integer(1)], [.null], [.null], [.integer(4)]])
    }

    @Test func `an older world's accounts got their apps with their first purchase or device`()
        throws
    {
        func event(_ number: Int, _ environment: String, _ account: Int, _ kind: String) -> String {
            """
            INSERT INTO event (number, environment, app_id, account_id, kind, at_ms)
            VALUES (\(number), '\(environment)', 1, \(account), '\(kind)', \(number * 1_000));
            """
        }
        let reader = try migrated(
            "world", WorldSchema.current,
            holding: """
                INSERT INTO environment (kind, transaction_next, transaction_last, leaf)
                VALUES ('sandbox', 2000000000000700, 3999999999999999, x'00');
                INSERT INTO app (id, bundle_id, catalogue, storefront, created_ms, changed_ms)
                VALUES (1, 'a', x'', 'USA', 1, 1);
                INSERT INTO account (id, environment, name, storefront, password_hash,
                    failures, created_ms)
                VALUES (1, 'production', 'one', 'USA', '', 0, 1),
                    (2, 'sandbox', 'two', 'USA', '', 0, 1),
                    (3, 'production', 'three', 'USA', '', 0, 1);
                INSERT INTO device (id, environment, app_id, guid, app_version, created_ms)
                VALUES (1, 'production', 1, 'A', '2', 7000),
                    (2, 'production', 1, 'B', '2', 8000);
                INSERT INTO device_token (digest, device_id, account_id, expires_real_ms)
                VALUES (x'01', 1, 3, 9), (x'02', 2, 3, 9), (x'03', 2, 1, 9);
                """ + event(1, "production", 1, "shared")
                    + event(2, "production", 1, "purchased")
                    + event(3, "production", 1, "purchased")
                    + event(4, "sandbox", 2, "purchased")
                    + event(5, "production", 3, "shared"))
        #expect(
            try reader.rows(
                """
                SELECT id, account_id, purchased_ms, app_version FROM app_transaction ORDER BY id
                """
            ).map(\.values) == [
                [.integer(500_000_000_000_701), .integer(1), .integer(2_000), .text("1.0")],
                [
                    .integer(500_000_000_000_702), .integer(2), .integer(1_375_340_400_000),
                    .text("1.0"),
                ],
                // Signed in since, and bought nothing.
                [.integer(500_000_000_000_703), .integer(3), .integer(7_000), .text("1.0")],
            ])
        #expect(
            try reader.rows("SELECT next FROM sequence WHERE name = 'app_transaction'")
                .map(\.values) == [[.integer(500_000_000_000_704)]])
    }

    @Test func `devices of an older schema know the accounts that signed in or bought on them`()
        throws
    {
        let reader = try migrated(
            "world", WorldSchema.current,
            holding: """
                INSERT INTO app (id, bundle_id, catalogue, storefront, created_ms, changed_ms)
                VALUES (1, 'a', x'', 'USA', 1, 1);
                INSERT INTO account (id, environment, name, storefront, password_hash,
                    failures, created_ms)
                VALUES (7, 'sandbox', 'seven', 'USA', '', 0, 1),
                    (8, 'sandbox', 'eight', 'USA', '', 0, 1);
                INSERT INTO device (id, environment, app_id, guid, app_version, created_ms)
                VALUES (1, 'sandbox', 1, 'A', '1', 1), (2, 'sandbox', 1, 'B', '1', 1),
                    (3, 'sandbox', 1, 'C', '1', 1);
                INSERT INTO device_token (digest, device_id, account_id, expires_real_ms)
                VALUES (x'01', 1, 7, 9), (x'02', 1, 7, 9), (x'03', 2, NULL, 9), (x'04', 3, 8, 9);
                INSERT INTO attempt (device_id, attempt_id, account_id, body_digest, state,
                    created_ms, changed_ms)
                VALUES (1, 'a', 7, x'', 'sold', 1, 1), (2, 'b', 8, x'', 'refused', 1, 1);
                """)
        let known = try reader.rows(
            "SELECT device_id, account_id FROM device_account ORDER BY device_id, account_id")
        #expect(
            known.map(\.values) == [
                [.integer(1), .integer(7)], [.integer(2), .integer(8)], [.integer(3), .integer(8)],
            ])
    }

    @Test func `an older world's subscriptions run since their last long gap`() throws {
        let day = 86_400_000
        func period(_ id: Int, of original: Int, from start: Int, to end: Int) -> String {
            """
            INSERT INTO store_transaction (id, original_id, environment, app_id, account_id,
                device_id, attempt_id, product_id, kind, quantity, purchased_ms,
                originally_purchased_ms, charged_milliunits, currency, storefront,
                subscription_group, expires_ms, is_renewal)
            VALUES (\(id), \(original), 'production', 1, 1, 1, '\(id)', 'p', 'autoRenewable', 1,
                \(start * day), 0, 0, 'USD', 'USA', 'g', \(end * day), 0);
            """
        }
        func subscription(_ id: Int) -> String {
            """
            INSERT INTO subscription (original_id, environment, app_id, account_id,
                subscription_group, newest_id, device_id, fails_billing, phase, product_id,
                period, first_ms, started_ms, expires_ms, anchor_ms, anchor_months,
                price_milliunits, currency, is_auto_renewing, renewal_count, due_ms)
            VALUES (\(id), 'production', 1, 1, 'group \(id)', \(id), 1, 0, 'active', 'p',
                'month', 0, 0, 9, 0, 0, 9990, 'USD', 1, 0, 9);
            """
        }
        let reader = try migrated(
            "world", WorldSchema.current,
            holding: """
                INSERT INTO environment (kind, transaction_next, transaction_last, leaf, pace)
                VALUES ('production', 1, 9, x'00', 'calendar');
                """ + period(10, of: 10, from: 1, to: 31) + period(11, of: 10, from: 91, to: 121)
                    + period(12, of: 10, from: 182, to: 212)
                    + period(13, of: 10, from: 212, to: 242)
                    + period(20, of: 20, from: 5, to: 35)
                    // A year, replaced after 31 days by a month, and bought again after a gap.
                    + period(40, of: 40, from: 0, to: 365) + period(41, of: 40, from: 31, to: 61)
                    + period(42, of: 40, from: 181, to: 211)
                    + "UPDATE store_transaction SET upgraded_ms = \(31 * day) WHERE id = 40;"
                    + subscription(10) + subscription(20) + subscription(40)
                    + subscription(30))
        let found = try reader.rows(
            "SELECT run_started_ms FROM subscription ORDER BY original_id")
        #expect(
            found.map(\.values) == [
                [.integer(Int64(182 * day))], [.integer(Int64(5 * day))], [.integer(0)],
                [.integer(Int64(181 * day))],
            ])
    }

    /// A database of schema 100 that held some rows, brought to the current schema.
    private func migrated(
        _ kind: String, _ current: Schema, holding script: String
    ) throws -> DatabaseReader {
        let golden = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Golden/\(kind)-100.sql")
        try make(
            kind,
            Schema(
                oldest: 100, tables: [try String(contentsOf: golden, encoding: .utf8)],
                migrations: []))
        do {
            let connection = try Connection(path: path(kind))
            try connection.execute("PRAGMA foreign_keys = OFF")
            try connection.run(script: script)
        }
        try make(kind, current)
        return try DatabaseReader(path: path(kind), isInUse: false)
    }

    private func rows(of table: Substring, in name: String) throws -> Set<[SQLValue]> {
        let reader = try DatabaseReader(path: path(name), isInUse: false)
        let columns = try reader.rows(
            "SELECT name FROM pragma_table_info('\(table)') ORDER BY name"
        )
        .map { $0.text(0) }.joined(separator: ", ")
        return Set(try reader.rows("SELECT \(columns) FROM \(table)").map(\.values))
    }
}
