import StoreModel
import Testing

@testable import StoreSigning

struct PropertyListTextTests {
    private func read(_ text: String, valueBytesMax: Int = 100) -> Result<
        [TextPair], PropertyListError
    > {
        Result { () throws(PropertyListError) in
            try PropertyListText.pairs(Array(text.utf8), valueBytesMax: valueBytesMax)
        }
    }

    @Test func `a property list is written one entry per line, in ASCII`() throws {
        let text = PropertyListText.text([
            TextPair("bid", "com.example"), TextPair("say", "\"ö\" \\ 🚀\n"),
        ])
        #expect(
            String(decoding: text, as: UTF8.self)
                == "{\n\t\"bid\" = \"com.example\";\n"
                + "\t\"say\" = \"\\\"\\U00f6\\\" \\\\ \\Ud83d\\Ude80\\U000a\";\n}")
        #expect(
            try PropertyListText.pairs(text, valueBytesMax: 20).map(\.value)
                == ["com.example", "\"ö\" \\ 🚀\n"])
    }

    @Test(arguments: [
        ("{}", []), (" \r\n\t{ \r\n\t} \r\n\t", []), ("{\"a\"=\"b\";}", [TextPair("a", "b")]),
        ("{\"\" = \"\";}", [TextPair("", "")]),
        ("{\"a\" = \"\\U00E9\\U00e9\"; \"b\" = \"\";}", [TextPair("a", "éé"), TextPair("b", "")]),
    ])
    func `whitespace in a property list does not matter`(text: String, pairs: [TextPair]) {
        #expect(read(text) == .success(pairs))
    }

    @Test(arguments: [
        ("", "{ was expected", 0), ("   ", "{ was expected", 3), ("x", "{ was expected", 0),
        ("[]", "{ was expected", 0), ("<?xml?>", "{ was expected", 0),
        ("{", "the text ends inside the dictionary", 1),
        ("{\"a\"", "= was expected", 4), ("{\"a\" = ", "a text in quotes was expected", 7),
        ("{\"a\" = \"b\"", "; was expected", 10), ("{\"a\" = \"b\"}", "; was expected", 10),
        ("{\"a\" = \"b\";", "the text ends inside the dictionary", 11),
        ("{\"a\" = \"b", "the text ends inside quotes", 9),
        ("{\"a\" = \"b\\", "the text ends inside quotes", 9),
        ("{a = b;}", "a text in quotes was expected", 1),
        ("{\"a\" = b;}", "a text in quotes was expected", 7),
        ("{\"a\" = {};}", "a text in quotes was expected", 7),
        ("{\"a\" = (\"b\");}", "a text in quotes was expected", 7),
        ("{\"a\" = <00>;}", "a text in quotes was expected", 7),
        ("{/* */}", "a text in quotes was expected", 1),
        ("{} {}", "more after the closing }", 3),
        ("{\"a\" = \"b\"; \"a\" = \"c\";}", "the key \"a\" comes twice", 12),
        ("{\"a\" = \"b\"; \"\\U0061\" = \"c\";}", "the key \"a\" comes twice", 12),
        ("{\"a\" = \"\t\";}", "byte 9 in a text", 8), ("{\"a\" = \"\n\";}", "byte 10 in a text", 8),
        ("{\"a\" = \"ö\";}", "byte 195 in a text", 8),
        ("{\"a\" = \"\u{7F}\";}", "byte 127 in a text", 8),
        ("{\"a\" = \"\\n\";}", "an unsupported escape", 8),
        ("{\"a\" = \"\\101\";}", "an unsupported escape", 8),
        ("{\"a\" = \"\\U12\";}", "an escape without four hexadecimal digits", 8),
        ("{\"a\" = \"\\U+123\";}", "an escape without four hexadecimal digits", 8),
        ("{\"a\" = \"\\U", "an escape without four hexadecimal digits", 8),
        ("{\"a\" = \"\\Ud83d\";}", "half a surrogate pair", 15),
        ("{\"a\" = \"\\Ude80\\Ud83d\";}", "half a surrogate pair", 21),
    ])
    func `an invalid property list is refused with its place`(
        text: String, problem: String, byte: Int
    ) {
        #expect(read(text) == .failure(PropertyListError(problem, byte: byte)))
    }

    @Test func `property list limits hold to the last entry`() {
        func entries(_ count: Int) -> String {
            "{" + (0..<count).map { "\"\($0)\"=\"\";" }.joined() + "}"
        }
        #expect((try? read(entries(32)).get())?.count == 32)
        #expect((try? read(entries(33)).get()) == nil)
        for (count, isRead) in [(100, true), (101, false)] {
            let text = String(repeating: "x", count: count)
            #expect(((try? read("{\"a\"=\"\(text)\";}").get()) != nil) == isRead)
            let escaped = String(repeating: "\\U0041", count: count)
            #expect(((try? read("{\"a\"=\"\(escaped)\";}").get()) != nil) == isRead)
        }
        #expect((try? read("{\"\(String(repeating: "k", count: 65))\"=\"\";}").get()) == nil)
    }

    @Test(arguments: ["{", "(", "{\"a\"=", "{\"a\"={", "/*", "\\", "\"", "{\"", "[", "<"])
    func `a million opening brackets are refused at the first that does not fit`(opening: String) {
        let text = String(repeating: opening, count: 1_000_000)
        guard case .failure(let error) = read(text) else {
            Issue.record("it was read")
            return
        }
        #expect(error.byte < 300)
    }

    @Test func `no altered property list makes the reader trap`() {
        var chance = SeededChance(seed: 6)
        let pairs = Samples.transactionSubscription.pairs(
            sealedFor: TestTransactionAuthority.seal)
        let text = PropertyListText.text(pairs + [TextPair("say", "\"ö\" \\ 🚀")])
        let marks = Array("{}\"=;\\U/<>()\n\u{0}".utf8)
        for _ in 0..<3_000 {
            var altered = text
            for _ in 0..<Int.random(in: 1...4, using: &chance) {
                let place = Int.random(in: 0..<altered.count, using: &chance)
                switch Int.random(in: 0..<4, using: &chance) {
                case 0: altered[place] = .random(in: 0...255, using: &chance)
                case 1: altered[place] = marks.randomElement(using: &chance) ?? 0
                case 2: altered.remove(at: place)
                default: altered.insert(altered[place], at: place)
                }
            }
            guard let read = try? PropertyListText.pairs(altered, valueBytesMax: 200) else {
                continue
            }
            // What is read is read the same once more.
            let again = try? PropertyListText.pairs(
                PropertyListText.text(read), valueBytesMax: 200)
            #expect(again == read)
        }
    }
}

/// The same numbers every time.
struct SeededChance: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
