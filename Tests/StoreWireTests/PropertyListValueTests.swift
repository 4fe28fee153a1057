import Foundation
import StoreModel
import Testing

@testable import StoreWire

/// Values of key-value stores as JSON.
@Suite struct PropertyListValueTests {
    private typealias Value = PropertyListValue

    struct Row: Sendable, CustomTestStringConvertible {
        let value: PropertyListValue
        let json: String
        let byteCount: Int
        var testDescription: String { json }
    }

    static let rows = [
        Row(value: .boolean(true), json: #"{"boolean":true}"#, byteCount: 8),
        Row(value: .integer(.min), json: #"{"integer":-9223372036854775808}"#, byteCount: 8),
        Row(value: .large(.max), json: #"{"integer":18446744073709551615}"#, byteCount: 8),
        Row(value: .real(ExactNumber(0.1)), json: #"{"real":0.1}"#, byteCount: 8),
        Row(value: .real(ExactNumber(.nan)), json: #"{"real":"nan"}"#, byteCount: 8),
        Row(value: .real(ExactNumber(-.infinity)), json: #"{"real":"-inf"}"#, byteCount: 8),
        Row(value: .string("é\u{0}"), json: #"{"string":"é\u0000"}"#, byteCount: 3),
        Row(value: .date(ExactNumber(0.5)), json: #"{"date":0.5}"#, byteCount: 8),
        Row(value: .data([1, 2]), json: #"{"data":"AQI="}"#, byteCount: 2),
        Row(
            value: .array([.integer(1), .array([])]),
            json: #"{"array":[{"integer":1},{"array":[]}]}"#, byteCount: 24),
        Row(
            value: .dictionary(["ab": .string("c")]),
            json: #"{"dictionary":{"ab":{"string":"c"}}}"#, byteCount: 11),
    ]

    @Test(arguments: rows) func `a property list value keeps its kind and counts its bytes`(
        row: Row
    ) throws {
        let bytes = try WireJSON.encode(row.value)
        #expect(String(decoding: bytes, as: UTF8.self) == row.json)
        #expect(try WireJSON.decode(PropertyListValue.self, from: bytes) == row.value)
        #expect(row.value.byteCount == row.byteCount)
    }

    @Test(arguments: [
        #"{}"#, #"{"url":"x"}"#, #"{"integer":1,"string":"a"}"#, #"{"integer":1,"x":2}"#,
        #"{"integer":1.5}"#,
        #"{"integer":18446744073709551616}"#, #"{"boolean":1}"#, #"{"real":"1"}"#,
        #"{"data":"?"}"#, #"{"array":{}}"#, #"{"dictionary":[]}"#, #"{"array":[1]}"#,
        #"{"string":null}"#, "[]", "1", "null",
    ])
    func `an invalid property list value is refused with the reason`(text: String) {
        let error = #expect(throws: (any Error).self) {
            try WireJSON.decode(PropertyListValue.self, from: Array(text.utf8))
        }
        if let error { #expect(WireJSON.explain(error).count > 10) }
    }

    private func nested(_ depth: Int) -> String {
        String(repeating: #"{"array":["#, count: depth) + String(repeating: "]}", count: depth)
    }

    @Test func `nested collections are read up to a limit`() throws {
        let deep = try WireJSON.decode(
            PropertyListValue.self, from: Array(nested(KeyValueLimits.depthMax).utf8))
        #expect(deep.depth == KeyValueLimits.depthMax)
        for depth in [40, 200, 100_000] {
            #expect(throws: (any Error).self) {
                try WireJSON.decode(PropertyListValue.self, from: Array(nested(depth).utf8))
            }
        }
    }
}
