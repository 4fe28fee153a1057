import Foundation
import Testing

@testable import StoreWire

@Suite struct JSONValueTests {
    @Test func `JSON values are found by kind, by key and by path`() throws {
        let value = try JSONValue(
            parsing: #"{"a":[true,null,{"b":"x"}],"n":-12,"f":1.0,"big":9223372036854775808}"#.bytes
        )
        #expect(value["a"]?.array?.count == 3)
        #expect(value["a"]?.object == nil && value["a"]?.string == nil)
        #expect(value["a"]?.array?[0].bool == true)
        #expect(value["a"]?.array?[1].isNull == true)
        #expect(value["n"]?.integer == -12 && value["n"]?.number == "-12")
        #expect(value["f"]?.integer == nil && value["f"]?.number == "1.0")
        #expect(value["big"]?.integer == nil)
        #expect(value["c"] == nil && value["a"]?["b"] == nil)
        let path = JSONPath.root.appending("a").appending(2).appending("b")
        #expect(value[path]?.string == "x")
        #expect(value[.root.appending("a").appending(3)] == nil)
        #expect(value[.root] == value)
        #expect(JSONValue.integer(21_007) == .number("21007"))
    }

    @Test func `compact JSON keeps the order and escapes what it must`() {
        let value = JSONValue.object([
            .init("status", .integer(0)),
            .init("a/b", .array([.null, .bool(true), .bool(false), .number("1.50")])),
            .init("", .object([])), .init("e", .array([])),
            .init("\"\\\u{0}\u{1F}\n", .string("\u{8}\u{C}\r\té\u{7F}\u{2028}🚀")),
        ])
        #expect(
            text(value.compactBytes)
                == #"{"status":0,"a/b":[null,true,false,1.50],"":{},"e":[],"#
                + #""\"\\\u0000\u001f\n":"\b\f\r\té"# + "\u{7F}\u{2028}🚀\"}")
    }

    @Test func `Xcode's JSON has sorted keys, spaced colons and open empty lists`() {
        let value = JSONValue.object([
            .init("b", .object([])), .init("A", .array([])),
            .init("_c", .array([.number("1"), .string("x/y")])),
        ])
        #expect(
            text(value.xcodeBytes) == """
                {
                  "_c" : [
                    1,
                    "x/y"
                  ],
                  "A" : [

                  ],
                  "b" : {

                  }
                }

                """)
    }

    @Test(arguments: [
        ["_failTransactionsEnabled", "_locale", "_storefront", "_storeKitErrors", "_timeRate"],
        ["introductoryOffer", "introductoryOffers"],
        ["productID", "products", "recurringSubscriptionPeriod"],
        ["_a", "A", "a", "B", "b"],
        ["2", "3", "10", "a2", "a10", "b"],
        ["", "a", "é"],
        ["01", "1", "1a"],
    ])
    func `JSON keys are sorted as Xcode does`(keys: [String]) {
        for shuffled in [keys.reversed(), keys, keys.sorted()] {
            #expect(shuffled.sorted(by: comesBeforeInXcode) == keys)
        }
        for key in keys { #expect(!comesBeforeInXcode(key, key)) }
    }

    @Test func `written JSON is read back as the same value, also by Foundation`() throws {
        let every = String(String.UnicodeScalarView((0...0x2FF).compactMap(Unicode.Scalar.init)))
        let value = JSONValue.array([.string(every), .object([.init(every, .null)])])
        #expect(try JSONValue(parsing: value.compactBytes) == value)
        #expect(try JSONValue(parsing: value.xcodeBytes) == value)
        let read = try JSONSerialization.jsonObject(with: Data(value.compactBytes)) as? [Any]
        #expect(read?.first as? String == every)
    }
}
