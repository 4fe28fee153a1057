import StoreDatabase

/// The parts of a database's schema, comparable however they came about: `ALTER TABLE` writes new
/// columns behind the others and quotes names.
enum SchemaDefinitions {
    static func read(path: String) throws -> Set<String> {
        let reader = try DatabaseReader(path: path, isInUse: false)
        let found = try reader.rows(
            "SELECT type, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name <> 'schema_version'"
        )
        return Set(
            found.map { row in
                let words = row.text(1).replacing("\"", with: "").split(
                    whereSeparator: \.isWhitespace
                )
                .joined(separator: " ").replacing("( ", with: "(").replacing(" )", with: ")")
                .replacing(" ,", with: ",")
                return row.text(0) == "table" ? sortingColumns(of: words) : words
            })
    }

    private static func sortingColumns(of table: String) -> String {
        guard let start = table.firstIndex(of: "("), let end = table.lastIndex(of: ")") else {
            return table
        }
        var columns = [""]
        var depth = 0
        for character in table[table.index(after: start)..<end] {
            depth += character == "(" ? 1 : character == ")" ? -1 : 0
            if depth == 0, character == "," {
                columns.append("")
            } else {
                columns[columns.count - 1].append(character)
            }
        }
        let sorted = columns.map { $0.drop { $0 == " " } }.sorted()
        return table[...start] + sorted.joined(separator: ", ") + table[end...]
    }
}
