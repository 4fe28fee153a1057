import Testing

@testable import StoreWire

@Suite struct JSONParserTests {
    static let accepted: [(text: String, value: JSONValue)] = [
        ("null", .null),
        (" \t\r\ntrue \n", .bool(true)),
        ("false", .bool(false)),
        ("0", .number("0")),
        ("-0", .number("-0")),
        ("-0.0e+00", .number("-0.0e+00")),
        ("10.50", .number("10.50")),
        ("717674197.50913501", .number("717674197.50913501")),
        ("1E400", .number("1E400")),
        ("123456789012345678901234567890", .number("123456789012345678901234567890")),
        (#""""#, .string("")),
        (#""a\"\\\/\b\f\n\r\tb""#, .string("a\"\\/\u{8}\u{C}\n\r\tb")),
        (#""\u0041\u00e9\u00E9\ud83d\uDE80\u0000""#, .string("Aéé🚀\u{0}")),
        ("\"é🚀\u{7F}\u{2028}\"", .string("é🚀\u{7F}\u{2028}")),
        ("[]", .array([])),
        ("[ ]", .array([])),
        ("[1,[2,[]]]", .array([.number("1"), .array([.number("2"), .array([])])])),
        ("{}", .object([])),
        (
            #"{"b":1,"a":{"":null}}"#,
            .object([
                .init("b", .number("1")), .init("a", .object([.init("", .null)])),
            ])
        ),
        (
            "{\"é\":1,\"e\u{301}\":2}",
            .object([.init("é", .number("1")), .init("e\u{301}", .number("2"))])
        ),
    ]

    @Test(arguments: accepted)
    func `JSON is read with the order of members and the literals of numbers`(
        text: String, value: JSONValue
    ) throws {
        #expect(try JSONValue(parsing: text.bytes) == value)
        #expect(try JSONDocument(bytes: text.bytes).value == value)
    }

    static let refused: [(text: String, error: String)] = [
        ("", "line 1, column 1: expected a value, found the end of the text"),
        (" \n ", "line 2, column 2: expected a value, found the end of the text"),
        (
            "\u{FEFF}{}",
            "line 1, column 1: the text begins with a byte order mark; save it without one"
        ),
        ("nul", "line 1, column 1: expected a value, found \"n\""),
        ("True", "line 1, column 1: expected a value, found \"T\""),
        ("NaN", "line 1, column 1: expected a value, found \"N\""),
        ("'a'", "line 1, column 1: expected a value, found \"'\""),
        ("\u{0}", "line 1, column 1: expected a value, found the byte 0x00"),
        ("\u{A0}1", "line 1, column 1: expected a value, found a non-ASCII character"),
        ("1 2", "line 1, column 3: expected the end of the text, found \"2\""),
        ("{} \"a\"", "line 1, column 4: expected the end of the text, found a string"),
        ("[1]]", "line 1, column 4: expected the end of the text, found \"]\""),
        ("// a\n1", "line 1, column 1: expected a value, found \"/\""),
        ("+1", "line 1, column 1: expected a value, found \"+\""),
        (".5", "line 1, column 1: expected a value, found \".\""),
        ("-", "line 1, column 2: expected a digit after \"-\", found the end of the text"),
        ("-a", "line 1, column 2: expected a digit after \"-\", found \"a\""),
        ("01", "line 1, column 1: a number has a leading zero"),
        ("[-00]", "line 1, column 2: a number has a leading zero"),
        (
            "1.",
            "line 1, column 3: expected a digit after the point of a number, found the end of the text"
        ),
        ("1.e1", "line 1, column 3: expected a digit after the point of a number, found \"e\""),
        (
            "1e",
            "line 1, column 3: expected a digit in the exponent of a number, found the end of the text"
        ),
        ("1e+-1", "line 1, column 4: expected a digit in the exponent of a number, found \"-\""),
        ("0x10", "line 1, column 2: expected the end of the text, found \"x\""),
        ("[1", "line 1, column 3: expected \",\" or \"]\" in an array, found the end of the text"),
        ("[1 2]", "line 1, column 4: expected \",\" or \"]\" in an array, found \"2\""),
        ("[1,]", "line 1, column 4: expected a value, found \"]\""),
        ("[,1]", "line 1, column 2: expected a value, found \",\""),
        ("{", "line 1, column 2: expected a key in double quotes, found the end of the text"),
        ("{1:2}", "line 1, column 2: expected a key in double quotes, found \"1\""),
        ("{\"a\":1,}", "line 1, column 8: expected a key in double quotes, found \"}\""),
        ("{\n\t\"locale\" 1}", "line 2, column 11: expected \":\" after the key \"locale\""),
        ("{\"a\" 1}", "line 1, column 6: expected \":\" after the key \"a\""),
        ("{\"a\":}", "line 1, column 6: expected a value, found \"}\""),
        (
            "{\"a\":1",
            "line 1, column 7: expected \",\" or \"}\" in an object, found the end of the text"
        ),
        (
            "{\"a\":1 \"b\":2}",
            "line 1, column 8: expected \",\" or \"}\" in an object, found a string"
        ),
        ("{\"a\":1,\r\n \"a\":2}", "line 2, column 2: the key \"a\" appears twice in one object"),
        (#"{"a":1,"\u0061":2}"#, "line 1, column 8: the key \"a\" appears twice in one object"),
        ("\"a", "line 1, column 1: a string has no closing quote"),
        ("[\"é\", \"a\\", "line 1, column 9: a string has no closing quote"),
        ("\"a\nb\"", "line 1, column 3: a string holds the byte 0x0a without an escape"),
        ("\"\u{1F}\"", "line 1, column 2: a string holds the byte 0x1f without an escape"),
        (#""\x""#, "line 1, column 3: expected an escape after \"\\\", found \"x\""),
        (
            #""\u12G4""#,
            "line 1, column 6: expected four hexadecimal digits after \"\\u\", found \"G\""
        ),
        (
            #""\u12"#,
            "line 1, column 6: expected four hexadecimal digits after \"\\u\", found the end of the text"
        ),
        (#""a\ud83d""#, "line 1, column 3: a surrogate lacks its other half"),
        (#""\ud83dx""#, "line 1, column 2: a surrogate lacks its other half"),
        (#""\ud83d\n""#, "line 1, column 2: a surrogate lacks its other half"),
        (#""\ud83d\ud83d""#, "line 1, column 2: a surrogate lacks its other half"),
        (#""\ude80""#, "line 1, column 2: a surrogate lacks its other half"),
    ]

    @Test(arguments: refused)
    func `invalid JSON is refused with its place`(text: String, error: String) {
        #expect(parseError(text.bytes)?.description == error)
    }

    static let invalidUTF8: [(bytes: [UInt8], column: Int)] = [
        ([0x22, 0x80, 0x22], 2),
        ([0x22, 0x61, 0xC0, 0xAF, 0x22], 3),
        ([0x22, 0xC3, 0x22], 2),
        ([0x22, 0xC3, 0xA9, 0xE2, 0x82, 0x22], 3),
        ([0x22, 0xED, 0xA0, 0x80, 0x22], 2),
        ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 2),
        ([0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], 2),
        ([0x22, 0xFF, 0x22], 2),
        ([0x7B, 0x22, 0xFE, 0x22, 0x3A, 0x31, 0x7D], 3),
    ]

    @Test(arguments: invalidUTF8)
    func `bytes that are not UTF-8 are refused with their place`(bytes: [UInt8], column: Int) {
        #expect(
            parseError(bytes)?.description
                == "line 1, column \(column): the text is not valid UTF-8")
    }

    @Test func `a strange key is shortened in an error`() {
        let key = String(repeating: "k", count: 100)
        #expect(
            parseError("{\"\(key)\"}".bytes)?.message
                == "expected \":\" after the key \"\(key.prefix(60))...\"")
    }

    @Test func `JSON depth is limited`() throws {
        let deepest = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        _ = try JSONValue(parsing: deepest.bytes)
        #expect(
            parseError("[\(deepest)]".bytes)?.description
                == "line 1, column 65: arrays and objects are nested more than 64 deep")
        let endless = String(repeating: "{\"a\":[", count: 1_000_000)
        #expect(parseError(endless.bytes)?.message.contains("64 deep") == true)
    }

    @Test func `siblings do not add to the JSON depth`() throws {
        let many = "[" + Array(repeating: "[{}]", count: 1_000).joined(separator: ",") + "]"
        #expect(try JSONValue(parsing: many.bytes).array?.count == 1_000)
    }

    @Test func `JSON bytes and values are limited`() throws {
        let limits = JSONLimits(bytesMax: 10, valuesMax: 4)
        _ = try JSONValue(parsing: "[1,2,3]   ".bytes, limits: limits)
        #expect(throws: JSONParseError.self) {
            try JSONValue(parsing: "[1,2,3]    ".bytes, limits: limits)
        }
        #expect(throws: JSONParseError.self) {
            try JSONValue(parsing: "[1,2,3,4]".bytes, limits: limits)
        }
    }

    @Test func `a long string of escapes is read in linear time`() throws {
        let count = 500_000
        let value = try JSONValue(parsing: "\"\(String(repeating: #"\/"#, count: count))\"".bytes)
        #expect(value.string?.utf8.count == count)
    }

    @Test func `positions and ranges of JSON parts are known`() throws {
        let document = try JSONDocument(bytes: "{\n  \"a\": [1, {\"é\": \"x\"}]\n}".bytes)
        let path = JSONPath.root.appending("a").appending(1).appending("é")
        #expect(document.place(of: path).description == "line 2, column 18")
        let range = try #require(document.range(of: path))
        #expect(text(Array(document.bytes[range])) == "\"x\"")
        #expect(document.value[path] == .string("x"))
        #expect(document.range(of: path.appending("b")) == nil)
        #expect(document.range(of: .root.appending(0)) == nil)
        #expect(document.range(of: .root.appending("a").appending(-1)) == nil)
        #expect(document.place(of: path.appending("b").appending(7)) == document.place(of: path))
        #expect(document.place(of: .root.appending("b")).description == "line 1, column 1")
        #expect("\(path)" == "a[1].é")
    }

    private func parseError(_ bytes: [UInt8]) -> JSONParseError? {
        do {
            _ = try JSONDocument(bytes: bytes)
            return nil
        } catch {
            return error
        }
    }
}
