import Testing

/// The comparison that all stories end with.
struct StoryComparisonTests {
    @Test func `every line is shown in its place, with whose it is`() {
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
    func `thousandths are told as an amount`(amount: Int64, text: String) {
        #expect(amount.money == text)
    }

    @Test func `a story that goes otherwise is an issue`() async throws {
        let shop = try await SubscriptionFixture(at: "2026-04-01T00:00:00Z")
        var story = Story(shop)
        try await shop.buy()
        try await story.tell()
        let told = story.lines.joined(separator: "\n")
        try story.ends(as: "// A comment is no line.\n\(told)")
        withKnownIssue {
            try story.ends(as: told.replacing("2026-05-01", with: "2026-05-02"))
        }
        withKnownIssue { try story.ends(as: told + "\n  receipt as before") }
    }
}
