/// Comma-separated values, as RFC 4180 has them: a line for each row, fields quoted where needed.
package enum CSV {
    package struct Trouble: Error, Hashable, Sendable {
        /// From 1.
        package let line: Int
        package let sentence: String
    }

    /// One row with its line end.
    package static func line(_ fields: [String]) -> String {
        fields.map(written).joined(separator: ",") + "\r\n"
    }

    private static func written(_ field: String) -> String {
        // In a string, CR and LF may be one character.
        let isPlain = !field.unicodeScalars.contains { [",", "\"", "\r", "\n"].contains($0) }
        return isPlain ? field : "\"\(field.replacing("\"", with: "\"\""))\""
    }

    /// Every row of a text; a line that is empty has one empty field. Lines may end in LF alone.
    package static func rows(_ text: String) throws(Trouble) -> [[String]] {
        var rows: [[String]] = []
        var (row, field): ([String], String.UnicodeScalarView) = ([], .init())
        var (isQuoted, wasQuoted, line) = (false, false, 1)
        var rest = Substring(text).unicodeScalars
        func end(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\r" }
        while let scalar = rest.popFirst() {
            if isQuoted {
                if scalar != "\"" {
                    if scalar == "\n" { line += 1 }
                    field.append(scalar)
                } else if rest.first == "\"" {
                    rest.removeFirst()
                    field.append("\"")
                } else {
                    (isQuoted, wasQuoted) = (false, true)
                }
            } else if scalar == "," || end(scalar) {
                row.append(String(field))
                (field, wasQuoted) = (.init(), false)
                guard end(scalar) else { continue }
                if scalar == "\r", rest.first == "\n" { rest.removeFirst() }
                rows.append(row)
                (row, line) = ([], line + 1)
            } else if scalar == "\"", field.isEmpty, !wasQuoted {
                isQuoted = true
            } else if scalar == "\"" || wasQuoted {
                throw Trouble(line: line, sentence: "a quotation mark stands inside a field")
            } else {
                field.append(scalar)
            }
        }
        guard !isQuoted else { throw Trouble(line: line, sentence: "a quoted field does not end") }
        if !field.isEmpty || !row.isEmpty || wasQuoted { rows.append(row + [String(field)]) }
        return rows
    }
}
