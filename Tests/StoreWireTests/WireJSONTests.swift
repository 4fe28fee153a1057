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
        (#"{"account":1,"password":"b"}"#, "account is not a String"),
        (#"{"account":null,"password":"b"}"#, "account is null"),
    ])
    func `a body that does not fit is explained`(body: String, sentence: String) throws {
        do {
            _ = try WireJSON.decode(SignInBody.self, from: body.bytes)
            Issue.record("the body was read")
        } catch {
            #expect(WireJSON.explain(error) == sentence)
        }
    }

    @Test(arguments: ["", "{", "[]", "\u{0}", "{\"account\":\"a\"} x"])
    func `a body that is no JSON is explained`(body: String) {
        do {
            _ = try WireJSON.decode(SignInBody.self, from: body.bytes)
            Issue.record("the body was read")
        } catch {
            #expect(!WireJSON.explain(error).isEmpty)
        }
    }
}
