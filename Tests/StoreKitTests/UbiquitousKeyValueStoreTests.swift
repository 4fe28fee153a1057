import Foundation
import StoreModel
import StoreWire
import Testing

@testable import StoreKit

/// The class as apps use it: types in, types out.
@Suite struct UbiquitousKeyValueStoreTests {
    /// Without a store: in memory.
    private let store = NSUbiquitousKeyValueStore(
        process: KeyValueProcess(parts: nil, signBackIn: { false }, tell: { _, _ in }))

    @Test func `each value type is read back as it was set`() {
        let date = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
        store.set("text", forKey: "string")
        store.set(Data([1, 2]), forKey: "data")
        store.set(["a", 1, true] as [Any], forKey: "array")
        store.set(["a": [1.5]] as [String: Any], forKey: "dictionary")
        store.set(Int64.min, forKey: "longLong")
        store.set(0.1, forKey: "double")
        store.set(true, forKey: "bool")
        store.set(date, forKey: "date")
        store.set(UInt64.max, forKey: "large")
        #expect(store.string(forKey: "string") == "text")
        #expect(store.data(forKey: "data") == Data([1, 2]))
        let array = store.array(forKey: "array")
        #expect(array?[0] as? String == "a")
        #expect(array?[1] as? Int == 1)
        #expect(array?[2] as? Bool == true)
        #expect(store.dictionary(forKey: "dictionary") as? [String: [Double]] == ["a": [1.5]])
        #expect(store.longLong(forKey: "longLong") == .min)
        #expect(store.double(forKey: "double") == 0.1)
        #expect(store.bool(forKey: "bool"))
        #expect(store.object(forKey: "date") as? Date == date)
        #expect(store.object(forKey: "large") as? UInt64 == .max)
        #expect(store.dictionaryRepresentation.count == 9)
        #expect(store.dictionaryRepresentation["double"] as? Double == 0.1)
    }

    @Test func `numbers convert to what Swift code asks for`() {
        store.set(true, forKey: "bool")
        store.set(5 as Any?, forKey: "int")
        store.set([1, 2], forKey: "ints")
        #expect(store.object(forKey: "bool") as? Bool == true)
        #expect(store.object(forKey: "bool") as? Int == 1)
        #expect(store.object(forKey: "int") as? Int == 5)
        #expect(store.object(forKey: "int") as? Int64 == 5)
        #expect(store.object(forKey: "int") as? NSNumber == 5)
        #expect(store.object(forKey: "ints") as? [Int] == [1, 2])
    }

    @Test func `Foundation's own classes are accepted, too`() {
        store.set(NSNumber(value: true), forKey: "bool")
        store.set(NSNumber(value: 1), forKey: "one")
        store.set(NSNumber(value: 1.5), forKey: "real")
        store.set(NSString(string: "text"), forKey: "text")
        store.set(NSArray(array: [1, "a"]), forKey: "array")
        store.set(NSDictionary(dictionary: ["a": NSNumber(value: 2)]), forKey: "dictionary")
        store.set(CGFloat(2.5), forKey: "cgfloat")
        #expect(store.value("bool") == .boolean(true))
        #expect(store.value("one") == .integer(1))
        #expect(store.value("real") == .real(ExactNumber(1.5)))
        #expect(store.value("text") == .string("text"))
        #expect(store.value("array") == .array([.integer(1), .string("a")]))
        #expect(store.value("dictionary") == .dictionary(["a": .integer(2)]))
        #expect(store.value("cgfloat") == .real(ExactNumber(2.5)))
    }

    struct Row: Sendable {
        let value: PropertyListValue
        var string: String?
        var longLong: Int64 = 0
        var double = 0.0
        var bool = false
    }

    /// The first of each kind are Apple's own examples.
    static let rows = [
        Row(value: .integer(123), string: "123", longLong: 123, double: 123, bool: true),
        Row(value: .integer(2), string: "2", longLong: 2, double: 2, bool: true),
        Row(value: .integer(0), string: "0"),
        Row(value: .boolean(true), string: "1", longLong: 1, double: 1, bool: true),
        Row(value: .boolean(false), string: "0"),
        Row(value: .real(ExactNumber(2.67)), string: "2.67", longLong: 2, double: 2.67, bool: true),
        Row(value: .real(ExactNumber(1)), string: "1.0", longLong: 1, double: 1, bool: true),
        Row(
            value: .real(ExactNumber(-1e30)), string: "-1e+30", longLong: .min, double: -1e30,
            bool: true),
        Row(value: .string("123"), string: "123", longLong: 123, double: 123, bool: true),
        Row(value: .string("123.4"), string: "123.4", longLong: 123, double: 123.4, bool: true),
        Row(value: .string("true"), string: "true", bool: true),
        Row(value: .string("YES"), string: "YES", bool: true),
        Row(value: .string("1"), string: "1", longLong: 1, double: 1, bool: true),
        Row(value: .string("no"), string: "no"),
        Row(value: .string(""), string: ""),
        Row(value: .data([1])), Row(value: .array([])), Row(value: .dictionary([:])),
        Row(value: .date(ExactNumber(1))),
    ]

    @Test(arguments: rows) func `each getter converts a value as Apple's does`(row: Row) {
        store.set(row.value.object, forKey: "k")
        #expect(store.value("k") == row.value)
        #expect(store.string(forKey: "k") == row.string)
        #expect(store.longLong(forKey: "k") == row.longLong)
        #expect(store.double(forKey: "k") == row.double)
        #expect(store.bool(forKey: "k") == row.bool)
    }

    @Test func `missing keys have Apple's empty values`() {
        #expect(store.object(forKey: "none") == nil)
        #expect(store.string(forKey: "none") == nil)
        #expect(store.array(forKey: "none") == nil)
        #expect(store.dictionary(forKey: "none") == nil)
        #expect(store.data(forKey: "none") == nil)
        #expect(store.longLong(forKey: "none") == 0)
        #expect(store.double(forKey: "none") == 0)
        #expect(!store.bool(forKey: "none"))
        #expect(store.dictionaryRepresentation.isEmpty)
    }

    @Test func `setting nil and removing both delete a key`() {
        for key in ["a", "b", "c"] { store.set(true, forKey: key) }
        store.set(nil as Any?, forKey: "a")
        store.set(nil as String?, forKey: "b")
        store.removeObject(forKey: "c")
        store.removeObject(forKey: "never")
        #expect(store.dictionaryRepresentation.isEmpty)
    }

    @Test func `equivalent spellings are one key, and 64 bytes fit`() {
        store.set("x", forKey: "caf\u{65}\u{301}")
        #expect(store.string(forKey: "caf\u{e9}") == "x")
        let longest = String(repeating: "é", count: 32)
        store.set(true, forKey: longest)
        #expect(store.bool(forKey: longest))
    }

    /// Here `dispatchMain` serves the main queue, as in programs with an asynchronous `main`.
    @Test(.timeLimit(.minutes(10)))
    func `an observer on the main queue hears of changes in any program`() async {
        let store = store
        let keys = await withCheckedContinuation { continuation in
            _ = NotificationCenter.default.addObserver(
                forName: NSUbiquitousKeyValueStore.didChangeExternallyNotification,
                object: store, queue: .main
            ) { note in
                let keys = note.userInfo?[NSUbiquitousKeyValueStoreChangedKeysKey] as? [String]
                continuation.resume(returning: keys)
            }
            KeyValueProcess.post(.server, ["level"], from: store)
        }
        #expect(keys == ["level"])
    }

    @Test func `synchronizing without a store fails, as without the entitlement`() {
        #expect(!store.synchronize())
    }

    @Test func `a key that is too long ends the app`() async {
        await #expect(processExitsWith: .failure) {
            NSUbiquitousKeyValueStore(
                process: KeyValueProcess(parts: nil, signBackIn: { false }, tell: { _, _ in })
            ).set(true, forKey: String(repeating: "k", count: 65))
        }
    }

    @Test func `an empty key ends the app`() async {
        await #expect(processExitsWith: .failure) {
            NSUbiquitousKeyValueStore(
                process: KeyValueProcess(parts: nil, signBackIn: { false }, tell: { _, _ in })
            ).removeObject(forKey: "")
        }
    }

    @Test func `a value that is not a property list ends the app with a sentence`() async throws {
        let ended = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            NSUbiquitousKeyValueStore(
                process: KeyValueProcess(parts: nil, signBackIn: { false }, tell: { _, _ in })
            ).set(URL(fileURLWithPath: "/"), forKey: "address")
        }
        let sentence = String(decoding: ended.standardErrorContent, as: UTF8.self)
        #expect(sentence.contains("the value for key 'address', a URL"))
    }

    @Test func `values outside a property list are rejected`() {
        let objects: [Any] = [
            NSNull(), [1: 2], ["a": URL(fileURLWithPath: "/")], [NSNull()], Set([1]),
            Int?.none as Any, UUID(), "a"..."b",
        ]
        for object in objects { #expect(PropertyListValue(object) == nil, "\(object)") }
    }
}
