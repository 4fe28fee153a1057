import Testing

/// Every row of the table of requirements names tests, and they exist.
@Suite struct RequirementTableTests {
    @Test func `every row of the requirements page names existing tests`() throws {
        let page = try Repository.file("docs/requirements.md")
        let rows = BehaviourTableTests.rows(of: page.text)
        #expect(rows.count > 60)
        for row in rows {
            let references = row.tests.matches(of: /`([\w\/+]+\.swift)` `([^`]+)`/)
            let ticks = row.tests.matches(of: /`/)
            #expect(
                !references.isEmpty && ticks.count == 4 * references.count,
                "\(row.name): each test needs its file and its name")
            for reference in references {
                let (path, name) = ("Tests/\(reference.1)", String(reference.2))
                let text = try Repository.exists(path) ? Repository.file(path).text : ""
                #expect(text.contains("func `\(name)`"), "\(row.name): no \(name) in \(path)")
            }
        }
    }
}
