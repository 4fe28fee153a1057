import StoreModel
import StoreVerification
import StoreWire
import Testing

@testable import AppStoreServer

/// What is kept of a body, and that no secret is.
struct SafeJSONTests {
    private static let digest = hexadecimal(sha256(Array("abc".utf8)))

    private func text(_ json: String, bytesMax: Int = 16 << 10) -> String? {
        SafeJSON(Array(json.utf8), bytesMax: bytesMax)?.text
    }

    @Test(arguments: [
        (#"{"name":"ada","password":"rocket"}"#, #"{"name":"ada","password":"<6 bytes>"}"#),
        (#" { "a" : [ 1 , -2.5e3 , true , null ] } "#, #"{"a":[1,-2.5e3,true,null]}"#),
        (#"{"pass\u0077ord":"rocket"}"#, #"{"pass\u0077ord":"<6 bytes>"}"#),
        (
            #"{"Password":"rocket","userToken":12}"#,
            #"{"Password":"<6 bytes>","userToken":"<2 bytes>"}"#
        ),
        (#"{"password":null,"secret":false}"#, #"{"password":null,"secret":false}"#),
        (#"{"password":"\u00e4\n"}"#, #"{"password":"<3 bytes>"}"#),
        (
            #"{"secret":{"value":"x","of":["yy",3]}}"#,
            #"{"secret":{"value":"<1 bytes>","of":["<2 bytes>","<1 bytes>"]}}"#
        ),
        (#"{"codes":["AB","C"]}"#, #"{"codes":["<2 bytes>","<1 bytes>"]}"#),
        (
            #"{"error":{"code":"appUnknown","message":"m"}}"#,
            #"{"error":{"code":"appUnknown","message":"m"}}"#
        ),
        (#"{"refusal":{"code":"productUnknown"}}"#, #"{"refusal":{"code":"productUnknown"}}"#),
        (#"{"code":"AB12"}"#, #"{"code":"<4 bytes>"}"#),
        (#"{"receipt-data":"abc"}"#, #"{"receipt-data":"<3 bytes, SHA-256 \#(digest)>"}"#),
        (
            #"{"receipt":{"bundle_id":"a","receipt_type":"Sandbox"}}"#,
            #"{"receipt":{"bundle_id":"a","receipt_type":"Sandbox"}}"#
        ),
        (
            #"{"signedTransactions":["abc"]}"#,
            #"{"signedTransactions":["<3 bytes, SHA-256 \#(digest)>"]}"#
        ),
        ("[]", "[]"), ("{}", "{}"), (#""text""#, #""text""#), ("7", "7"),
        ("{\"a\":\"\u{202E}b\"}", #"{"a":"\u202eb"}"#),
        (#"{"a":"</script>"}"#, #"{"a":"</script>"}"#),
        (#"{"a":"\u0000\ud83d\ude00"}"#, #"{"a":"\u0000\ud83d\ude00"}"#),
    ])
    func `members are kept, counted or digested by their names`(json: String, kept: String) {
        #expect(text(json) == kept)
    }

    @Test func `texts that look like signed data, keys or receipts are not kept`() {
        let encoded = String(repeating: "QUJD", count: 130)
        for value in [
            "eyJhbGciOiJFUzI1NiJ9.eyJhIjoxfQ.c2lnbmF0dXJlLWJ5dGVz", encoded,
            "-----BEGIN PRIVATE KEY-----\\nMIGHAgEAMBMG",
        ] {
            let shown = text(#"{"note":"\#(value)"}"#)
            #expect(shown?.contains("SHA-256") == true, "\(value.prefix(20))")
            #expect(shown?.contains(value.prefix(12)) == false)
        }
        #expect(
            text(#"{"note":"\#(String(repeating: "a b ", count: 200))"}"#)?.contains("a b a b")
                == true)
    }

    @Test(arguments: [
        "", "password=rocket", "{\"password\":\"rocket", "{\"password\" \"rocket\"}",
        "{password:\"rocket\"}", "{\"a\":1}{\"password\":\"rocket\"}", "{\"a\":\"\u{0}\"}",
        "{\"a\":1,}", "[1 2]", "{\"a\":nil}", "{\"a\":01}", "\u{FEFF}{}", "{\"a\":\"\\x\"}",
        "</script><script>alert(1)</script>", "\u{202E}rocket", "<?xml version='1.0'?>",
        "{\"pass\\uD800word\":\"rocket\"}",
    ])
    func `nothing is kept of what is not JSON`(body: String) {
        #expect(text(body) == nil)
    }

    @Test func `nothing is kept of broken UTF-8 or UTF-16`() {
        #expect(SafeJSON(Array("{\"a\":\"".utf8) + [0xFF, 0x22, 0x7D], bytesMax: 99) == nil)
        #expect(
            SafeJSON("{\"password\":\"x\"}".utf16.flatMap { [0, UInt8($0)] }, bytesMax: 99) == nil)
    }

    @Test func `nesting without end is not followed`() {
        #expect(text(String(repeating: "[", count: 100_000)) == nil)
        #expect(text(String(repeating: "{\"a\":", count: 100_000)) == nil)
    }

    @Test func `a long body is cut where no character is torn and no secret begins`() throws {
        let notes = (0..<400).map { "\"n\($0)\":\"ä\u{202E}ö\",\"password\":\"rocket\($0)\"" }
        let body = Array("{\(notes.joined(separator: ","))}".utf8)
        let whole = try #require(SafeJSON(body, bytesMax: 1 << 20))
        #expect(!whole.isCut && !whole.text.contains("rocket"))
        for bytesMax in 0...300 {
            let json = try #require(SafeJSON(body, bytesMax: bytesMax))
            #expect(json.isCut && json.text.utf8.count <= bytesMax)
            #expect(whole.text.hasPrefix(json.text))
        }
    }

    @Test func `secrets behind the cut are not kept, whatever stands there`() throws {
        let body = Array("[\(String(repeating: "1,", count: 90_000))\"rocket".utf8)
        let json = try #require(SafeJSON(body, bytesMax: 1_000))
        #expect(json.isCut && json.text.utf8.count == 1_000)
    }

    @Test func `members that name the sender are read, unless they are secret`() {
        let json = SafeJSON(
            Array(#"{"account":"a\u0064a","x":{"bundleId":"b"}}"#.utf8), bytesMax: 99)
        #expect(json?.names == ["account": "ada"])
    }
}
