import Testing

/// SQL that other databases understand, too; what only SQLite does stands in files that say so.
@Suite struct PortableSQLTests {
    private static var foreign: Regex<Substring> {
        #/
        \b(?:INDEXED\ BY|NOT\ INDEXED|json_each|json_extract|iif\(|ifnull\(|rowid|zeroblob|GLOB
        |INSERT\ OR|UPDATE\ OR|REPLACE\ INTO|WITHOUT\ ROWID|group_concat|strftime|PRAGMA|pragma_
        |sqlite_|last_insert|total_changes|typeof\(|randomblob)
        | \bIS\ (?:NOT\ )?[?:] | [=\(,]\ ?x'
        /#
    }

    static func covers(_ path: String) -> Bool {
        !path.hasPrefix("Sources/StoreDatabase/") && !path.hasSuffix("+SQLite.swift")
    }

    static func findings(in file: Repository.File) -> [String] {
        let foreign = foreign
        return file.lines.enumerated().filter { $0.element.contains(foreign) }
            .map { "\(file.path):\($0.offset + 1)" }
    }

    @Test func `SQL that only SQLite understands stands in files named for it`() throws {
        let files = try Repository.sources().filter { Self.covers($0.path) }
        #expect(files.contains { $0.path.hasSuffix("Records.swift") })
        #expect(files.flatMap(Self.findings) == [])
    }

    @Test func `the rule finds what it is there for`() {
        let bad = [
            "FROM sale INDEXED BY sale_by_price", "WHERE id IN (SELECT value FROM json_each(?1))",
            "WHERE digest IS ?3", "WHERE digest IS NOT ?",
            "SET state = iif(state = 'a', 'b', state)",
            "SELECT rowid FROM sale", "INSERT OR IGNORE INTO sale", "REPLACE INTO sale",
            "SET bytes = x''", "SELECT 1 FROM sqlite_schema", "PRAGMA cache_size",
        ]
        for line in bad {
            #expect(Self.findings(in: .init(path: "a", text: line)) == ["a:1"], "\(line)")
        }
        let good = [
            "WHERE digest IS NULL OR digest IS NOT NULL", "ON CONFLICT (id) DO NOTHING",
            "CASE state WHEN 'a' THEN 'b' ELSE state END", "let maximum = 1", "INSERT INTO sale",
        ]
        for line in good {
            #expect(Self.findings(in: .init(path: "a", text: line)) == [], "\(line)")
        }
    }
}
