import Foundation
import TestSupport
import Testing

@testable import StoreDatabase

struct DatabaseTemplateTests {
    private let folder = TemporaryFolder()
    private let schema = Schema(
        oldest: 1,
        tables: [
            """
            CREATE TABLE sale (id BIGINT PRIMARY KEY, price BIGINT NOT NULL,
                storefront TEXT NOT NULL DEFAULT 'USA');
            INSERT INTO sale (id, price) VALUES (1, 990);
            CREATE INDEX sale_by_storefront ON sale (storefront);
            """
        ], migrations: [])

    private func path(_ name: String) -> String { folder.path + "/" + name }

    private func open(_ name: String) throws -> Database {
        try Database(path: path(name), durability: .processOnly, schema: schema)
    }

    private func contents(of name: String) throws -> [[[SQLValue]]] {
        let database = try open(name)
        defer { database.close() }
        return try database.read { scope in
            [
                try scope.rows("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name")
                    .map(\.values),
                try scope.rows("SELECT number FROM schema_version ORDER BY number").map(\.values),
                try scope.rows("SELECT id, price, storefront FROM sale").map(\.values),
            ]
        }
    }

    @Test func `what is written from it is what a new file has`() throws {
        let template = try DatabaseTemplate(at: path("template"), schema: schema)
        try template.write(to: path("written"))
        #expect(try contents(of: "written") == contents(of: "made"))
        #expect(try DatabaseReader(path: path("written"), isInUse: false).problems() == [])
    }

    @Test func `a template leaves no traces of its making or of earlier data`() throws {
        let old = try open("template")
        try old.write { _ = try $0.execute("INSERT INTO sale (id, price) VALUES (2, 1)") }
        old.close()
        let template = try DatabaseTemplate(at: path("template"), schema: schema)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        try template.write(to: path("written"))
        #expect(try contents(of: "written") == contents(of: "made"))
    }

    @Test func `a template never overwrites an existing file`() throws {
        let template = try DatabaseTemplate(at: path("template"), schema: schema)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path("taken")))
        #expect(throws: DatabaseError.self) { try template.write(to: path("taken")) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path("taken"))) == Data("mine".utf8))
    }
}
