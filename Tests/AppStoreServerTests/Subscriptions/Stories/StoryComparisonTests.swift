import Testing

/// The comparison that all stories end with.
struct StoryComparisonTests {
    @Test func `a story comparison shows every line in its place and whose it is`() {
        #expect(
            LineDifference.text(
                wanted: ["one", "two", "three", "four"], found: ["zero", "one", "three", "4"])
                == "+zero\n one\n-two\n three\n-four\n+4")
        #expect(LineDifference.text(wanted: ["one"], found: ["one"]) == " one")
        #expect(LineDifference.text(wanted: [], found: ["one", "two"]) == "+one\n+two")
        #expect(LineDifference.text(wanted: ["one", "two"], found: []) == "-one\n-two")
    }

    @Test(arguments: [
        (0, "0"), (9_990, "9.99"), (-4_995, "-4.995"), (10_000, "10"), (20, "0.02"),
        (-1, "-0.001"),
    ])
    func `a story shows milliunits as an amount`(amount: Int64, text: String) {
        #expect(amount.money == text)
    }

    @Test func `a story comparison checks every line and ignores comments`() async throws {
        let shop = try await SubscriptionFixture(at: "2026-04-01T00:00:00Z")
        var story = Story(shop)
        try await shop.buy()
        try await story.tell()
        let told = story.lines.joined(separator: "\n")
        #expect(story.difference(from: "  // A comment is no line.\n\(told)") == nil)
        let other = story.difference(from: told.replacing("2026-05-01", with: "2026-05-02"))
        #expect(other?.contains("\n-    #1 of #1 silver 2026-04-01 to 2026-05-02\n") == true)
        #expect(
            story.difference(from: told + "\n  receipt as before")?
                .hasSuffix("\n-  receipt as before") == true)
        #expect(story.difference(from: "")?.hasPrefix("+2026-04-01\n+  purchased #1\n") == true)
    }
}
