import Testing

/// The picture of the modules in `docs/architecture.md`.
@Suite struct ModulePictureTests {
    @Test func `the picture of the modules has every arrow between them, and no other`() throws {
        let picture = try Repository.file("docs/images/modules.svg").text
        let rows = picture.matches(of: /class="row" x="24" y="(\d+)">(\w+)</)
        let columns = picture.matches(of: /class="col" transform="translate\((\d+) .*>(\w+)</)
        let dots = picture.matches(of: /<circle cx="(\d+)" cy="(\d+)"/)
        let libraries = picture.matches(of: /class="lib" x="\d+" y="(\d+)">(.*)</)
        var drawn: [String: Set<String>] = [:]
        for row in rows {
            let y = Int(row.1) ?? 0
            let swift = columns.filter { column in
                dots.contains { Int($0.1) == (Int(column.1) ?? 0) - 4 && Int($0.2) == y - 5 }
            }
            let bridges = libraries.filter { Int($0.1) == y }
                .flatMap { $0.2.matches(of: /\bC[A-Z]\w+/) }
            drawn[String(row.2)] = Set((swift.map(\.2) + bridges.map(\.0)).map { String($0) })
        }
        #expect(drawn == Layers.modules.filter { !$0.value.isEmpty })
        #expect(dots.count == drawn.values.joined().count { !$0.contains(/^C[A-Z]/) })
    }
}
