import StoreHTTP
import StoreService
import Testing

/// How the body of a request becomes the shape that a handler takes.
struct BodyTests {
    private struct Sample: Decodable, Equatable {
        let count: Int
    }

    private func request(_ body: String) -> HTTPRequest {
        HTTPRequest(method: "POST", path: "/a", segments: ["a"], body: Array(body.utf8))
    }

    @Test func `an optional body is nil when empty and decoded otherwise`() throws {
        #expect(try request("").decoded(Sample?.self) == nil)
        #expect(try request(#"{"count":1}"#).decoded(Sample?.self) == Sample(count: 1))
    }

    @Test(arguments: ["null", " null ", "[]", "{}", "{", "\u{0}"])
    func `an invalid optional body is refused with 400 badBody`(_ body: String) {
        let refusal = #expect(throws: Refusal.self) {
            try request(body).decoded(Sample?.self)
        }
        #expect(refusal?.status == 400)
        #expect(refusal?.code == "badBody")
    }

    @Test func `a body in which a member appears twice is refused with its place`() {
        let refusal = #expect(throws: Refusal.self) {
            try request(#"{"count":1,"count":1}"#).decoded(Sample.self)
        }
        #expect(refusal?.code == "badBody")
        #expect(refusal?.message.contains("line 1, column 12") == true)
    }

    @Test func `an empty body is refused where one is required`() {
        let refusal = #expect(throws: Refusal.self) { try request("").decoded(Sample.self) }
        #expect(refusal?.code == "badBody")
    }
}
