import Testing

@testable import RocketCar

/// Text in columns.
@Suite struct LineTests {
    @Test(arguments: [
        ("", 0), ("Fuel", 4), ("火箭燃料", 8), ("é", 1), ("e\u{301}", 1), ("🚀", 2), ("…", 1),
    ])
    func `a text's width is what a terminal shows`(text: String, columns: Int) {
        #expect(TextWidth.of(text) == columns)
    }

    @Test(arguments: [
        ("Rocket Fuel", 20, "Rocket Fuel"), ("Rocket Fuel", 11, "Rocket Fuel"),
        ("Rocket Fuel", 7, "Rocket…"), ("火箭燃料", 6, "火箭…"), ("Rocket", 1, "…"),
    ])
    func `a line that is too long is cut`(text: String, columns: Int, cut: String) {
        let line = Line(text).cut(to: columns)
        #expect(line.text == cut)
        #expect(line.width <= columns)
    }

    @Test func `a line is cut across its styled pieces`() {
        var line = Line("abc", .strong)
        line.add("defgh", .price)
        #expect(
            line.cut(to: 6).pieces == [
                .init(text: "abc", style: .strong), .init(text: "de", style: .price),
                .init(text: "…", style: .faint),
            ])
    }

    @Test(arguments: ["a\u{1B}[2Jb", "a\u{202E}b", "a\nb", "a\u{2028}b", "a\u{9B}b"])
    func `text from a store cannot move the cursor or reverse the line`(text: String) {
        let line = Line(text)
        #expect(line.text.first == "a" && line.text.contains("?"))
        #expect(!line.text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    }

    @Test func `a text is padded to a column, or follows at once without room`() {
        var line = Line("ab")
        line.add("cd", endingAt: 8)
        #expect(line.text == "ab    cd")
        line.add("ef", endingAt: 3)
        #expect(line.text == "ab    cdef")
    }

    @Test(arguments: [
        ("", 10, []), ("one two", 10, ["one two"]), ("one two three", 8, ["one two", "three"]),
        ("incomprehensible word", 8, ["incomprehensible", "word"]), ("a\n b", 10, ["a b"]),
    ])
    func `a text is wrapped between words`(text: String, columns: Int, lines: [String]) {
        #expect(Paragraph.lines(text, columns: columns) == lines)
    }

    @Test(
        arguments: [
            (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (1_450_000, "1.5 MB"),
            (48_300_000, "48 MB"), (2_000_000_000, "2.0 GB"), (12_345_000_000_000, "12345 GB"),
        ] as [(Int64, String)])
    func `an amount of bytes is abbreviated`(count: Int64, text: String) {
        #expect(Amount.bytes(count) == text)
    }

    @Test(arguments: [(5, "5 s"), (75, "1 min"), (7_200, "2 h")])
    func `a duration is abbreviated`(seconds: Int, text: String) {
        #expect(Amount.seconds(seconds) == text)
    }
}
