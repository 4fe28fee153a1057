import Foundation
import StoreModel
import Testing

@Suite struct WordTests {
    @Test(arguments: [
        "a", "default", "team-a", "0", "a--b", String(repeating: "x", count: 64),
    ])
    func `a world's name has lower-case letters, digits and inner hyphens`(text: String) {
        #expect(WorldName(text)?.text == text)
    }

    @Test(arguments: [
        "", "-a", "a-", "-", "A", "a b", "a/b", "..", "a.b", "a_b", "ä", "a\u{0}", "a\n",
        String(repeating: "x", count: 65),
    ])
    func `an invalid world's name is refused`(text: String) {
        #expect(WorldName(text) == nil)
    }

    @Test func `only the default world's name counts as the default`() {
        #expect(WorldName("default")?.isDefault == true)
        #expect(WorldName("other")?.isDefault == false)
    }

    @Test func `transaction ids of the two environments never meet and stay exact as doubles`() {
        let ranges = StoreEnvironment.allCases.map(\.transactionNumbers)
        for (index, range) in ranges.enumerated() {
            #expect(range.lowerBound > 0 && range.upperBound < 1 << 53)
            for other in ranges[(index + 1)...] { #expect(!range.overlaps(other)) }
        }
    }

    @Test func `environments have Apple's names`() {
        #expect(StoreEnvironment.allCases.map(\.wireName) == ["Production", "Sandbox"])
    }

    @Test func `identifiers are encoded and sorted by their raw value`() throws {
        let json = try JSONEncoder().encode([ProductID("b"), ProductID("a")])
        #expect(String(data: json, encoding: .utf8) == #"["b","a"]"#)
        #expect(
            try JSONDecoder().decode([ProductID].self, from: json).sorted().map(\.rawValue)
                == ["a", "b"])
        #expect("\(TransactionID(17))" == "17")
    }

    @Test func `a wall clock returns its source's time`() {
        #expect(WallClock { Timestamp(seconds: 7) }.now() == Timestamp(seconds: 7))
    }

    @Test(arguments: zip(ProductKind.allCases, [1, 0, 3, 2] as [Int64]))
    func `product kinds have the numbers of receipt attribute 1707`(
        kind: ProductKind, number: Int64
    ) {
        #expect(kind.receiptNumber == number)
    }
}
