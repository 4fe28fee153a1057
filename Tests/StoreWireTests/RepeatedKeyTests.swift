import Testing

@testable import StoreWire

/// Bodies in which a key appears twice: decoders read one of the two, and do not say which.
struct RepeatedKeyTests {
    private static let many = (0..<40).map { "\"k\($0)\":0" }.joined(separator: ",")

    @Test(arguments: [
        (#"{"a":1,"a":1}"#, "line 1, column 8: the key \"a\" appears twice in one object"),
        (#"{"a":1,"b":{"c":[{"d":1,"d":2}]}}"#, #"the key "d" appears twice in one object"#),
        ("{\"a\":1,\n \"b\":2,\n \"a\":3}", "line 3, column 2"),
        (#"{"a":1,"\u0061":2}"#, #"the key "a" appears twice in one object"#),
        (#"{"\u0061":1,"a":2}"#, #"the key "a" appears twice in one object"#),
        (#"{"a\"b":1,"a\u0022b":2}"#, "appears twice"),
        (#"{"":1,"":2}"#, "appears twice"),
        ("{\(many),\"k3\":1}", #"the key "k3" appears twice in one object"#),
        ("[{}, {\"a\" : [ ] , \"a\" : { } }]", "appears twice"),
    ])
    func `a repeated key is found with its place`(text: String, message: String) throws {
        let error = try #require(RepeatedKeySearch.error(in: Array(text.utf8)))
        #expect("\(error)".contains(message), "\(error)")
    }

    @Test(arguments: [
        "1", #""a""#, "[]", "{}", #"{"a":"a","b":"a"}"#, #"{"a":{"a":{"a":1}},"b":["a","a"]}"#,
        #"[{"a":1},{"a":1}]"#, #"{"a":"{\"a\":1,\"a\":2}"}"#, #"{"a\\":1,"a":"\\"}"#,
        "{\"é\":1,\"e\u{301}\":2}", "{\(many),\"k40\":{\(many)}}", #"{"a":["b",{"b":1}],"b":1}"#,
    ])
    func `keys of different objects and equal values are no repetition`(text: String) {
        #expect(RepeatedKeySearch.error(in: Array(text.utf8)) == nil)
    }

    @Test func `a body decodes only when no key repeats`() throws {
        struct Body: Decodable { let a: Int }
        #expect(try WireJSON.decodeBody(Body.self, from: Array(#"{"a":1,"b":2}"#.utf8)).a == 1)
        #expect(throws: JSONParseError.self) {
            try WireJSON.decodeBody(Body.self, from: Array(#"{"a":1,"b":2,"b":3}"#.utf8))
        }
    }
}
