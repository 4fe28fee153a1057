import StoreModel
import Testing

@testable import StoreWire

@Suite struct WireJSONTests {
    @Test func `bodies have sorted keys and plain slashes`() throws {
        let body = ErrorBody(code: "a/b", message: "c")
        #expect(text(try WireJSON.encode(body)) == #"{"error":{"code":"a/b","message":"c"}}"#)
    }

    @Test(arguments: [
        (#"{"account":"a"}"#, "password is missing"),
        (#"{"account":1,"password":"b"}"#, "account is not a string"),
        (#"{"account":[],"password":"b"}"#, "account is not a string"),
        ("[]", "the body is not an object"),
        ("null", "the body is null"),
        (#"{"account":null,"password":"b"}"#, "account is null"),
    ])
    func `a body of the wrong shape is explained`(body: String, sentence: String) throws {
        do {
            _ = try WireJSON.decode(SignInBody.self, from: body.bytes)
            Issue.record("the body was read")
        } catch {
            #expect(WireJSON.explain(error) == sentence)
        }
    }

    @Test(arguments: [
        ("", "line 1, column 1: expected a value, found the end of the text"),
        ("{", "line 1, column 2: expected a key in double quotes, found the end of the text"),
        ("\u{0}", "line 1, column 1: expected a value, found the byte 0x00"),
        (#"{"account":"a"} x"#, "line 1, column 17: expected the end of the text, found \"x\""),
        (#"{"account":"\x"}"#, #"line 1, column 14: expected an escape after "\", found "x""#),
    ])
    func `a body that is not JSON is explained with the place`(body: String, sentence: String) {
        do {
            _ = try WireJSON.decode(SignInBody.self, from: body.bytes)
            Issue.record("the body was read")
        } catch {
            #expect(WireJSON.explain(error) == sentence)
        }
    }

    @Test(arguments: [
        "1.5", "9223372036854775808", "-9223372036854775809", "1e400", "1e99999999999",
    ])
    func `a number out of range is not called bad JSON`(number: String) {
        let body = #"{"attemptId":"a","productId":"b","quantity":\#(number)}"#
        do {
            _ = try WireJSON.decode(AttemptRequestBody.self, from: body.bytes)
            Issue.record("the body was read")
        } catch {
            #expect(
                WireJSON.explain(error)
                    == "the body: a number has the wrong kind or size")
        }
    }
}
