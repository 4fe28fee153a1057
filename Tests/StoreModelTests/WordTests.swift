import Foundation
import StoreModel
import Testing

@Suite struct WordTests {
    @Test(arguments: [
        "a", "default", "team-a", "0", "a--b", String(repeating: "x", count: 64),
    ])
    func `a world's name has small letters, digits and hyphens inside`(text: String) {
        #expect(WorldName(text)?.text == text)
    }

    @Test(arguments: [
        "", "-a", "a-", "-", "A", "a b", "a/b", "..", "a.b", "a_b", "ä", "a\u{0}", "a\n",
        String(repeating: "x", count: 65),
    ])
    func `anything else is no world's name`(text: String) {
        #expect(WorldName(text) == nil)
    }

    @Test func `only the default world is the default`() {
        #expect(WorldName("default")?.isDefault == true)
        #expect(WorldName("other")?.isDefault == false)
    }

    @Test func `numbers of two environments never meet and stay exact in doubles`() {
        let ranges = StoreEnvironment.allCases.map(\.transactionNumbers)
        for (index, range) in ranges.enumerated() {
            #expect(range.lowerBound > 0 && range.upperBound < 1 << 53)
            for other in ranges[(index + 1)...] { #expect(!range.overlaps(other)) }
        }
    }

    @Test func `environments have Apple's names`() {
        #expect(StoreEnvironment.allCases.map(\.wireName) == ["Production", "Sandbox"])
    }

    @Test func `identifiers travel as their raw value and sort by it`() throws {
        let json = try JSONEncoder().encode([ProductID("b"), ProductID("a")])
        #expect(String(data: json, encoding: .utf8) == #"["b","a"]"#)
        #expect(
            try JSONDecoder().decode([ProductID].self, from: json).sorted().map(\.rawValue)
                == ["a", "b"])
        #expect("\(TransactionID(17))" == "17")
    }

    @Test func `a wall clock says what its source says`() {
        #expect(WallClock { Timestamp(seconds: 7) }.now() == Timestamp(seconds: 7))
    }

    @Test(arguments: zip(ProductKind.allCases, [1, 0, 3, 2] as [Int64]))
    func `kinds have the numbers of attribute 1707`(kind: ProductKind, number: Int64) {
        #expect(kind.receiptNumber == number)
    }
}
