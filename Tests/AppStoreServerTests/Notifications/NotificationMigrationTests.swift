import StoreDatabase
import StoreModel
import TestSupport
import Testing

@testable import AppStoreServer

@Suite struct NotificationMigrationTests {
    private static let texts = """
        SELECT json_array(number, body, transaction_payload, renewal_payload,
            typeof(receipt_payload), hex(receipt_payload))
        FROM notification_text ORDER BY number
        """

    @Test func `texts that were columns of notifications are kept`() async throws {
        let folder = TemporaryFolder()
        let store = try TestStore(folder: folder)
        try await store.stock()
        try await store.notify()
        try store.addTests(2, at: TestStore.start)
        store.registry.close()

        let path = folder.path + "/default.sqlite"
        let before = try open(path) { database -> [String] in
            try database.write { scope in
                try scope.execute(
                    """
                    UPDATE notification_text SET transaction_payload = '{"t":' || number || '}',
                        renewal_payload = '{"r":' || number || '}', receipt_payload = x'00FF'
                    """)
                for column in ["body", "transaction_payload", "renewal_payload", "receipt_payload"]
                {
                    let kind =
                        switch column {
                        case "body": "TEXT NOT NULL DEFAULT ''"
                        case "receipt_payload": "BLOB"
                        default: "TEXT"
                        }
                    try scope.execute("ALTER TABLE notification ADD COLUMN \(column) \(kind)")
                    try scope.execute(
                        """
                        UPDATE notification SET \(column) = (SELECT \(column) FROM notification_text
                            WHERE notification_text.number = notification.number)
                        """)
                }
            }
            let texts: [String] = try database.read { try $0.values(Self.texts) }
            try database.write { scope in
                try scope.execute("DROP TABLE notification_text")
                try scope.execute("DELETE FROM schema_version")
                try scope.insert(into: "schema_version", ["number": Int64(114)])
            }
            return texts
        }
        #expect(before.count == 2)
        // The file has all the rest already.
        let whole = WorldSchema.current
        let step = Schema(
            oldest: whole.oldest, tables: whole.tables,
            migrations: whole.migrations.filter { $0.number <= 115 })
        let after = try open(path, step) { database -> [String] in
            try database.read { try $0.values(Self.texts) }
        }
        #expect(after == before)
    }

    private func open<Value>(
        _ path: String, _ schema: Schema = WorldSchema.current, _ body: (Database) throws -> Value
    ) throws -> Value {
        let database = try Database(path: path, durability: .full, schema: schema)
        defer { database.close() }
        return try body(database)
    }
}
