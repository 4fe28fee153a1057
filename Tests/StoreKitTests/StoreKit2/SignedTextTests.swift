import Foundation
import Testing

@testable import StoreKit

@Suite struct SignedTextTests {
    @Test func `a JWS gives its header, payload, signature and signed bytes`() throws {
        let text = "eyJhIjoxfQ.eyJiIjoyfQ.-_8"
        let signed = try #require(SignedText(text))
        #expect(signed.text == text)
        #expect(signed.header == Data(#"{"a":1}"#.utf8))
        #expect(signed.payload == Data(#"{"b":2}"#.utf8))
        #expect(signed.signature == Data([0xFB, 0xFF]))
        #expect(signed.signedBytes == Data("eyJhIjoxfQ.eyJiIjoyfQ".utf8))
    }

    @Test(arguments: [
        "", "a", "eyJhIjoxfQ.eyJiIjoyfQ", "e30.e30.e30.e30", "e30.e.e30", "e30.e3=.e30",
        "e30.e+0.e30", "e30.é30.e30",
    ])
    func `a text without a readable payload is not a JWS`(text: String) {
        #expect(SignedText(text) == nil)
    }

    @Test func `a payload is readable beside a header and a signature that are not`() throws {
        let signed = try #require(SignedText("?.e30.!"))
        #expect(signed.header == Data())
        #expect(signed.payload == Data("{}".utf8))
        #expect(signed.signature == Data())
    }

    @Test func `two copies of a text are equal, and texts with other signatures differ`() throws {
        let one = try #require(SignedText("e30.e30.AAAA"))
        #expect(one == SignedText("e30.e30.AAAA"))
        #expect(one != SignedText("e30.e30.AAAB"))
        #expect(Set([one, one, SignedText("e30.e30.AAAA")]).count == 1)
    }
}
