import Testing

/// What no compiler checks and a reader relies on, line by line.
@Suite struct SourceRuleTests {
    @Test(arguments: SourceRule.all)
    func `no source file breaks a rule`(rule: SourceRule) throws {
        let files = try Repository.sources().filter { rule.covers($0.path) }
        #expect(!files.isEmpty, "the rule looks at no file")
        #expect(files.flatMap { rule.findings(in: $0) } == [])
    }

    @Test(arguments: SourceRule.all)
    func `each source rule finds what it is meant to`(rule: SourceRule) throws {
        let path = try #require(try Repository.sources().map(\.path).first(where: rule.covers))
        for line in rule.bad {
            let file = Repository.File(path: path, text: "import A\n\(line)\n")
            #expect(rule.findings(in: file) == ["\(path):2"], "\(line)")
        }
        for line in rule.good {
            #expect(rule.findings(in: .init(path: path, text: line)) == [], "\(line)")
        }
    }

    @Test(arguments: [
        ("a // b", "a "), ("a /* b /* c */ d */ e", "a  e"),
        (#"a("b \(c("d")) e")"#, #"a(""(c("")))"#),
        (##"a(#"b " \n "# + c)"##, #"a("" + c)"#), ("\"\"\"\na\"\n\"\"\"\nb", "\"\"\n\n\nb"),
        (#"a("\\") // b"#, #"a("") "#), (#"a("//")"#, #"a("")"#),
    ])
    func `comments and strings do not count as code`(text: String, code: String) {
        #expect(SwiftText(text).code == code)
    }

    /// Longer ones are cut where a reader would look for a part of its own; but a schema is a table
    /// of contents, which stands in one file.
    static let linesMax = 400

    @Test func `no source file is too long`() throws {
        let long = try Repository.sources().filter {
            $0.lines.count - 1 > Self.linesMax && !$0.path.hasSuffix("Schema.swift")
        }
        #expect(long.map(\.path) == [])
    }

    /// Handlers of a server run on Swift's threads, one for each core. As many tests that wait on these
    /// for the answer wait forever.
    @Test func `tests that wait for the backend's answers do so on threads of their own`() throws {
        let tests = try Repository.files(below: "Tests/PurchaseBackendTests", ending: "Tests.swift")
            .filter { $0.text.contains("Rig(") || $0.text.contains("Site(") }
        #expect(!tests.isEmpty)
        #expect(tests.filter { !$0.text.contains("@Suite(.ownThreads") }.map(\.path) == [])
    }

    @Test func `no source leaves work for later`() throws {
        let files =
            try Repository.sources() + Repository.files(below: "Tests", ending: ".swift")
            + Repository.files(below: "Sources", ending: ".h")
            + Repository.files(below: "Sources", ending: ".c")
            + [
                "scripts/bench", "scripts/bootstrap", "scripts/demo", "scripts/docs",
                "scripts/test",
            ].map(
                Repository.file)
        // Put together here, so that this file is not found itself.
        let words = ["TO" + "DO", "FIX" + "ME"]
        let found = files.flatMap { file in
            file.lines.enumerated().filter { line in words.contains { line.element.contains($0) } }
                .map { "\(file.path):\($0.offset + 1)" }
        }
        #expect(found == [])
    }
}
