import StoreModel
import TestSupport
import Testing

@testable import StoreDatabase

/// Rows that are written and read by the names of their columns.
struct ColumnTests {
    private let folder = TemporaryFolder()

    private func open() throws -> Database {
        try Database(
            path: folder.path + "/w.sqlite", durability: .processOnly,
            schema: Schema(
                oldest: 1,
                tables: [
                    """
                    CREATE TABLE sale (id BIGINT PRIMARY KEY, kind TEXT, price_milliunits BIGINT,
                        currency TEXT, is_gift BIGINT, digest BLOB, sold_ms BIGINT, storefront TEXT)
                    """
                ], migrations: []))
    }

    private func add(_ scope: borrowing WriteScope, kind: String = "consumable") throws {
        try scope.insert(
            into: "sale",
            [
                "id": TransactionID(7), "kind": kind, "price_milliunits": Price.free,
                "currency": Storefront.default.currency, "is_gift": true,
                "digest": [1, 255] as [UInt8],
                "sold_ms": Timestamp?.none, "storefront": Storefront.default,
            ])
    }

    @Test func `values come back as they went in, whatever the order of the columns`() throws {
        let database = try open()
        try database.write { try add($0) }
        for columns in [
            "*", "storefront, sold_ms, digest, is_gift, currency, price_milliunits, kind, id",
        ] {
            let row = try #require(try database.read { try $0.row("SELECT \(columns) FROM sale") })
            #expect(try row["id"] == TransactionID(7))
            #expect(try row["kind"] == ProductKind.consumable)
            #expect(try row["price_milliunits"] == Price.free)
            #expect(try row["is_gift"] == true)
            #expect(try row["digest"] == [1, 255] as [UInt8])
            #expect(try row["sold_ms"] == Timestamp?.none)
            #expect(try row["storefront"] == Storefront.default)
            #expect(
                try row.money("price_milliunits", "currency").currency
                    == Storefront.default.currency)
            #expect(try row.moneyOrNil("sold_ms", "currency") == nil)
        }
    }

    @Test func `a single column is read without its name, and null is nil`() throws {
        let database = try open()
        #expect(try database.read { try $0.value("SELECT id FROM sale") as TransactionID? } == nil)
        try database.write { try add($0) }
        #expect(
            try database.read { try $0.value("SELECT id FROM sale WHERE is_gift = ?1", [true]) }
                == TransactionID(7))
        #expect(try database.read { try $0.value("SELECT sold_ms FROM sale") as Timestamp? } == nil)
        #expect(
            try database.read { try $0.values("SELECT kind FROM sale") } == [ProductKind.consumable]
        )
    }

    @Test func `a name that this program does not know is an error`() throws {
        let database = try open()
        try database.write { try add($0, kind: "newspaper") }
        let failure = #expect(throws: DatabaseError.self) {
            try database.read { scope in
                try scope.row("SELECT kind FROM sale").map { try $0["kind"] as ProductKind }
            }
        }
        #expect(failure?.code == .notADatabase)
        #expect(failure?.detail.contains("\"newspaper\" is not a ProductKind") == true)
    }

    @Test func `what may follow an insert follows it`() throws {
        let database = try open()
        let touched = try database.write { scope in
            try add(scope)
            return try scope.insert(
                into: "sale", ["id": 7, "kind": "consumable"], "ON CONFLICT (id) DO NOTHING")
        }
        #expect(touched == 0)
    }

    @Test func `names that look alike are told apart`() {
        let names = (0..<150).map { "column_\($0)_ms" } + ["a", "b", "ab", "aab", "abb", "abab"]
        let columns = ColumnNames(names)
        for (name, place) in [
            ("column_0_ms", 0), ("column_149_ms", 149), ("column_75_ms", 75), ("a", 150),
            ("ab", 152),
            ("aab", 153), ("abb", 154), ("abab", 155),
        ] as [(StaticString, Int)] {
            #expect(columns.place(of: name) == place)
        }
    }

    @Test func `a name that no column has, or that two have, ends the process with a sentence`()
        async
    {
        await #expect(processExitsWith: .failure) { _ = ColumnNames(["a"]).place(of: "b") }
        await #expect(processExitsWith: .failure) {
            _ = ColumnNames(["a", "b", "a"]).place(of: "a")
        }
    }
}
