import Foundation
import StoreModel
import StoreWire
import Testing

@testable import StoreKit

/// The rules by which a device keeps key values, without a disk and without a store.
@Suite final class KeyValueRecordTests {
    private static let owner = KeyValueOwner(
        customer: Customer(worldId: "W", account: "ada"), environment: "Sandbox")
    private var record = KeyValueRecord(owner: KeyValueRecordTests.owner)

    private func text(_ record: KeyValueRecord, _ key: String) -> String? {
        record.values[key]?.asString
    }

    private func answer(
        _ revision: Int64, whole: Bool = false, _ entries: [String: String?] = [:]
    ) -> KeyValuesBody {
        KeyValuesBody(
            revision: revision, isWhole: whole,
            entries: entries.map { KeyValueBody(key: $0.key, value: $0.value.map { .string($0) }) })
    }

    private func set(_ value: PropertyListValue?, _ key: String) -> Bool {
        record.set(value, for: key)
    }

    private func request(_ id: String = "1") -> KeyValueRecord.Request? {
        record.nextRequest { id }
    }

    @Test func `a key-value request is repeated unchanged until it is answered`() throws {
        #expect(request() == nil)
        #expect(set(.string("a"), "k"))
        let first = try #require(request())
        #expect(first.isInitial)
        #expect(set(.string("b"), "k"))
        #expect(request("2") == first)
        #expect(text(record, "k") == "b")
        record.take(answer(1, whole: true, ["k": "a"]), to: nil, answering: "1")
        #expect(text(record, "k") == "b")
        let second = try #require(request("2"))
        #expect(!second.isInitial)
        #expect(second.changes.mapValues(\.value) == ["k": .string("b")])
        record.take(answer(2, ["k": "b"]), to: 1, answering: "2")
        #expect(request("3") == nil)
        #expect(record.values == ["k": .string("b")])
    }

    @Test func `incoming values leave unsent changes alone`() {
        record.take(answer(5, whole: true, ["a": "1", "b": "1"]), to: nil)
        _ = set(.string("mine"), "a")
        record.take(answer(6, ["a": "2", "b": "2", "c": "2"]), to: 5)
        #expect(text(record, "a") == "mine")
        #expect(text(record, "b") == "2")
        record.take(answer(7, ["b": nil]), to: 6)
        #expect(text(record, "b") == nil)
        #expect(text(record, "c") == "2")
    }

    @Test
    func `the account's values win over values set without knowing them`() {
        _ = set(.string("mine"), "a")
        _ = set(.string("mine"), "b")
        record.take(answer(3, whole: true, ["a": "theirs"]), to: nil)
        #expect(text(record, "a") == "theirs")
        #expect(request()?.changes.keys.sorted() == ["b"])
    }

    @Test func `key-value answers older than the known revision change nothing`() {
        record.take(answer(5, whole: true, ["a": "5"]), to: nil)
        // Another process got further meanwhile.
        record.take(answer(8, ["a": "8"]), to: 5)
        record.take(answer(6, ["a": "6"]), to: 5)
        #expect(text(record, "a") == "8")
        record.take(answer(3, whole: true, ["a": "3"]), to: 2)
        #expect(text(record, "a") == "8")
        // Changes after a revision that this record never had would leave a gap.
        record.take(answer(20, ["a": "20"]), to: 15)
        #expect(record.revision == 8)
        // The store says that what is known never was.
        record.take(answer(1, whole: true, ["b": "1"]), to: 8)
        #expect(record.values == ["b": .string("1")])
        #expect(record.revision == 1)
    }

    @Test func `a late answer still ends its request when another process got further`() {
        _ = set(.string("x"), "a")
        _ = request("1")
        record.take(answer(9, whole: true, ["a": "x"]), to: nil, answering: "other")
        #expect(record.request?.id == "1")
        record.take(answer(4, ["a": "x"]), to: nil, answering: "1")
        #expect(record.request == nil)
        #expect(record.revision == 9)
    }

    @Test func `changes beyond the quota wait until something has changed`() {
        record.take(answer(1, whole: true), to: nil)
        _ = set(.string("x"), "a")
        _ = request("1")
        record.putOff("1", isFull: true)
        #expect(text(record, "a") == "x")
        #expect(request("2") == nil)
        record.take(answer(2, ["z": "1"]), to: 1)
        #expect(request("3")?.changes.keys.sorted() == ["a"])
        record.putOff("3", isFull: true)
        _ = set(.string("y"), "b")
        #expect(request("4")?.changes.keys.sorted() == ["a", "b"])
    }

    @Test func `changes refused for another reason may be sent again at once`() {
        _ = set(.string("x"), "a")
        _ = request("1")
        record.putOff("1", isFull: false)
        #expect(request("2")?.changes.keys.sorted() == ["a"])
    }

    @Test func `a change made after a postponed one stays on top`() {
        record.take(answer(1, whole: true), to: nil)
        _ = set(.string("old"), "a")
        _ = request("1")
        _ = set(.string("new"), "a")
        record.putOff("1", isFull: true)
        #expect(text(record, "a") == "new")
    }

    @Test func `a key removed during a request makes room for its changes`() {
        record.take(answer(1, whole: true, ["a": "large"]), to: nil)
        _ = set(.string("x"), "b")
        _ = request("1")
        _ = set(nil, "a")
        record.putOff("1", isFull: true)
        #expect(request("2")?.changes.keys.sorted() == ["a", "b"])
        // Refused again, nothing has changed since.
        record.putOff("2", isFull: true)
        #expect(request("3") == nil)
    }

    @Test func `removing a key that was never sent needs no request`() {
        _ = set(.string("x"), "a")
        _ = set(nil, "a")
        #expect(request() == nil)
        record.take(answer(1, whole: true, ["b": "1"]), to: nil)
        _ = set(nil, "b")
        #expect(request("2")?.changes == ["b": .init(value: nil)])
        // It may have arrived: removing it again must be sent.
        _ = set(.string("x"), "c")
        record.take(answer(2, ["b": nil]), to: 1, answering: "2")
        #expect(request("3")?.changes.keys.sorted() == ["c"])
        _ = set(nil, "c")
        record.take(answer(3, ["c": "x"]), to: 2, answering: "3")
        #expect(request("4")?.changes == ["c": .init(value: nil)])
    }

    @Test func `keys and bytes are limited, and an excess can shrink`() {
        for number in 0..<KeyValueLimits.keysMax {
            #expect(set(.boolean(true), "k\(number)"))
        }
        let full = record
        #expect(!set(.boolean(true), "one more"))
        #expect(record == full)
        #expect(set(.integer(1), "k0"))
        #expect(set(nil, "k1"))
        #expect(set(.boolean(true), "one more"))

        record = KeyValueRecord(owner: Self.owner)
        let half = PropertyListValue.data([UInt8](repeating: 0, count: KeyValueLimits.bytesMax / 2))
        #expect(set(half, "a"))
        #expect(set(half, "b"))
        #expect(!set(.integer(1), "c"))
        // Two devices can come to more than fits.
        record.take(answer(1, whole: true, ["d": "text"]), to: nil)
        #expect(!set(.integer(1), "c"))
        #expect(set(.data([1]), "a"))
        #expect(set(.integer(1), "c"))
    }

    @Test func `a request holds no more changes than the store accepts`() {
        let keys = (0..<KeyValueLimits.changesMax + 100).map { "k\($0)" }
        let all = Dictionary(uniqueKeysWithValues: keys.map { ($0, Optional("x")) })
        record.take(answer(1, whole: true, all), to: nil)
        for key in keys { _ = set(nil, key) }
        #expect(request("1")?.changes.count == KeyValueLimits.changesMax)
        record.take(answer(2), to: 1, answering: "1")
        #expect(request("2")?.changes.count == 100)
    }

    @Test func `unowned values become the first account's, except keys it already has`() {
        var nobodys = KeyValueRecord(owner: nil)
        _ = nobodys.set(.string("local"), for: "a")
        _ = nobodys.set(.string("local"), for: "b")
        record.take(answer(1, whole: true, ["a": "theirs"]), to: nil)
        record.adopt(nobodys)
        record.adopt(nobodys)
        #expect(text(record, "a") == "theirs")
        #expect(text(record, "b") == "local")
        #expect(request()?.changes.keys.sorted() == ["b"])
    }

    @Test func `a key-value record is read back as written`() throws {
        record.take(answer(1, whole: true, ["a": "1"]), to: nil)
        _ = set(.real(ExactNumber(.nan)), "n")
        _ = request("1")
        _ = set(nil, "a")
        let bytes = try JSONEncoder().encode(record)
        #expect(try JSONDecoder().decode(KeyValueRecord.self, from: bytes) == record)
    }
}
