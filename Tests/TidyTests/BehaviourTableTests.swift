import Foundation
import Testing

/// Every row of the table of StoreKit's behaviour names tests, and they exist.
@Suite struct BehaviourTableTests {
    private static let page = "docs/storekit-behaviour.md"

    /// A suite in a cell, with what its test is called when the cell says so.
    struct Reference: Hashable {
        let suite: String
        /// Nil for the suite as a whole. An ellipsis at its end stands for any rest.
        let test: String?
    }

    @Test func `every row of the behaviour page names an existing test`() throws {
        let tests = try Self.tests()
        let rows = Self.rows(of: try Repository.file(Self.page).text)
        #expect(rows.count > 50)
        var findings: [String] = []
        for row in rows {
            let references = Self.references(in: row.tests)
            if references.isEmpty { findings.append("\(row.name): names no suite") }
            for reference in references where !Self.exists(reference, in: tests) {
                findings.append("\(row.name): there is no \(reference)")
            }
        }
        #expect(findings == [])
    }

    @Test func `a cell of the behaviour page is read as suites and tests`() {
        #expect(
            Self.references(in: "ATests, BTests, \"one\" and \"two …\", CTests") == [
                Reference(suite: "ATests", test: nil), Reference(suite: "BTests", test: "one"),
                Reference(suite: "BTests", test: "two …"), Reference(suite: "CTests", test: nil),
            ])
        #expect(Self.references(in: "the same").isEmpty)
        let text = "| row | behaviour | test |\n| --- | --- | --- |\n| a | b `|` c | ATests |\n"
        #expect(Self.rows(of: text).map(\.tests) == ["ATests"])
    }

    @Test(arguments: [
        (Reference(suite: "ATests", test: nil), true),
        (Reference(suite: "BTests", test: nil), false),
        (Reference(suite: "ATests", test: "it works well"), true),
        (Reference(suite: "ATests", test: "it works …"), true),
        (Reference(suite: "ATests", test: "it works"), false),
        (Reference(suite: "ATests", test: "it fails …"), false),
    ])
    func `a test name that does not exist is found`(reference: Reference, exists: Bool) {
        #expect(Self.exists(reference, in: ["ATests": ["it works well"]]) == exists)
    }

    // MARK: -

    private static func exists(_ reference: Reference, in tests: [String: Set<String>]) -> Bool {
        guard let names = tests[reference.suite] else { return false }
        guard let test = reference.test else { return true }
        guard test.hasSuffix("…") else { return names.contains(test) }
        let beginning = test.dropLast().trimmingCharacters(in: .whitespaces)
        return names.contains { $0.hasPrefix(beginning) }
    }

    /// The first and the last cell of each row of a page's tables, but for their heads.
    static func rows(of text: String) -> [(name: String, tests: String)] {
        text.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("| "), !line.hasPrefix("| ---"), !line.hasPrefix("| row |") else {
                return nil
            }
            let cells = line.split(separator: " | ").map {
                $0.trimmingCharacters(in: CharacterSet(charactersIn: "| "))
            }
            return (cells.first ?? "", cells.last ?? "")
        }
    }

    static func references(in cell: String) -> [Reference] {
        var found: [Reference] = []
        for match in cell.matches(of: /\b([A-Z]\w*Tests)\b|"([^"]+)"/) {
            if let suite = match.1 {
                found.append(Reference(suite: String(suite), test: nil))
            } else if let test = match.2, let last = found.last {
                if last.test == nil { found.removeLast() }
                found.append(Reference(suite: last.suite, test: String(test)))
            }
        }
        return found
    }

    /// The tests of every suite, by its name; several targets may have one of the same name.
    private static func tests() throws -> [String: Set<String>] {
        var tests: [String: Set<String>] = [:]
        for file in try Repository.files(below: "Tests", ending: "Tests.swift") {
            let suites = file.text.matches(of: /\b(?:struct|class) (\w+Tests)\b/)
            let names = file.text.matches(of: /func `([^`]+)`/).map { String($0.1) }
            for suite in suites { tests[String(suite.1), default: []].formUnion(names) }
        }
        return tests
    }
}
