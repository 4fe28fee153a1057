import Testing

@testable import StoreSigning
@testable import StoreVerification

@Suite struct JSONObjectTextTests {
    private func value(_ name: String, _ text: String) -> String? {
        let found = JSONObjectText(Array(text.utf8))?.values([name])?[0]
        return found.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        #"{"a":1}"#, #"{ "a" : 1 }"#, #"{"b":{"a":2},"a":1}"#, #"{"b":[{"a":2}],"a":1}"#,
        #"{"b":"\"a\":2,","a":1}"#, #"{"b":"a","a":1}"#, #"{"a":1,"b":"}"}"#, "{\"a\":\n1\t}",
    ]) func `a member of the object itself is found`(text: String) {
        #expect(value("a", text) == "1")
    }

    @Test(arguments: [
        "{}", #"{"b":{"a":2}}"#, #"{"b":"a"}"#, #"{"a":1,"a":1}"#, #"{"a":1"#, #"{"a":1}}"#,
        #"{"a":1} "#, #"{"a"}"#, #"{"a":1,"b"}"#, #"[{"a":1}]"#, #"{"a":"1}"#, "{\"a", "", "{",
        #"{"a":[1}"#,
    ]) func `nothing is found in another text`(text: String) {
        #expect(value("a", text) == nil)
    }

    @Test func `an object with more members than any has is refused`() {
        func object(_ count: Int) -> [UInt8] {
            Array("{\((0..<count).map { "\"\($0)\":0" }.joined(separator: ","))}".utf8)
        }
        #expect(JSONObjectText(object(64))?.names?.count == 64)
        #expect(JSONObjectText(object(65)) == nil)
    }
}
