import StoreModel
import Testing

@testable import StoreRules

/// What becomes of changes to a key-value store, row by row.
struct KeyValueRulesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var wanted: Int?
        var present: Int?
        var keepsOld = false
        var keys = 1
        var bytes = 100
        /// Whether it is made; nil when there is no room.
        let isMade: Bool?
    }

    /// A content of so many bytes; none without a number.
    private static func content(_ count: Int?) -> KeyValueRules.Content {
        count.map { .init(value: Array("\($0)".utf8), byteCount: $0) } ?? .removed
    }

    static let rows = [
        Row(testDescription: "a new key", wanted: 5, isMade: true),
        Row(testDescription: "another value", wanted: 5, present: 6, isMade: true),
        Row(testDescription: "the same value", wanted: 5, present: 5, isMade: false),
        Row(testDescription: "a removal", present: 5, isMade: true),
        Row(testDescription: "a removal of nothing", isMade: false),
        Row(testDescription: "a first value", wanted: 5, keepsOld: true, isMade: true),
        Row(
            testDescription: "a first value of a key that has one", wanted: 5, present: 6,
            keepsOld: true, isMade: false),
        Row(
            testDescription: "a first removal", present: 6, keepsOld: true, isMade: false),
        Row(
            testDescription: "the last key", wanted: 1, keys: KeyValueLimits.keysMax - 1,
            isMade: true),
        Row(
            testDescription: "a key too many", wanted: 1, keys: KeyValueLimits.keysMax,
            isMade: nil),
        Row(
            testDescription: "another value in a full house", wanted: 1, present: 2,
            keys: KeyValueLimits.keysMax, isMade: true),
        Row(
            testDescription: "the last byte", wanted: 5, present: 4,
            bytes: KeyValueLimits.bytesMax - 1, isMade: true),
        Row(
            testDescription: "a byte too many", wanted: 6, present: 4,
            bytes: KeyValueLimits.bytesMax - 1, isMade: nil),
        Row(
            testDescription: "nothing in a full house", wanted: 5, present: 5,
            bytes: KeyValueLimits.bytesMax + 1, isMade: false),
    ]

    @Test(arguments: rows) func `a key-value change is made, ignored or refused`(row: Row) {
        let change = KeyValueRules.Change(
            key: "k", wanted: Self.content(row.wanted), present: Self.content(row.present))
        let verdict = KeyValueRules.decide(
            [change], keepsOld: row.keepsOld, size: .init(keys: row.keys, bytes: row.bytes))
        switch (verdict, row.isMade) {
        case (.made(let made), let isMade?): #expect(made == (isMade ? [change] : []))
        case (.full, nil): break
        default: Issue.record("\(verdict)")
        }
    }

    @Test func `a removal makes room for additions, and one excess refuses all changes`() {
        let most = KeyValueLimits.bytesMax
        func change(_ key: String, _ wanted: Int?, _ present: Int?) -> KeyValueRules.Change {
            .init(key: key, wanted: Self.content(wanted), present: Self.content(present))
        }
        let swap = [change("a", nil, most), change("b", most, nil)]
        let size = KeyValueRules.Size(keys: 1, bytes: most)
        #expect(KeyValueRules.decide(swap, keepsOld: false, size: size) == .made(swap))
        let both = [change("b", 1, nil), change("c", 2, nil)]
        #expect(
            KeyValueRules.decide(both, keepsOld: false, size: size)
                == .full(.init(keys: 3, bytes: most + 3)))
    }
}
