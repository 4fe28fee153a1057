import ClassicClient
import StoreKit
import XCTest

/// A store of test targets: values in a dictionary, and a note of what was asked.
final class MockKeyValueStore: NSUbiquitousKeyValueStore {
    var values: [String: Any] = [:]
    var synchronizeCount = 0
    var mockSynchronize = true

    override func object(forKey aKey: String) -> Any? { return values[aKey] }
    override func set(_ anObject: Any?, forKey aKey: String) { values[aKey] = anObject }
    override func removeObject(forKey aKey: String) { values[aKey] = nil }
    override func string(forKey aKey: String) -> String? { return values[aKey] as? String }
    override func array(forKey aKey: String) -> [Any]? { return values[aKey] as? [Any] }
    override func dictionary(forKey aKey: String) -> [String: Any]? {
        return values[aKey] as? [String: Any]
    }
    override func data(forKey aKey: String) -> Data? { return values[aKey] as? Data }
    override func longLong(forKey aKey: String) -> Int64 { return values[aKey] as? Int64 ?? 0 }
    override func double(forKey aKey: String) -> Double { return values[aKey] as? Double ?? 0 }
    override func bool(forKey aKey: String) -> Bool { return values[aKey] as? Bool ?? false }
    override func set(_ value: Bool, forKey aKey: String) { values[aKey] = value }
    override var dictionaryRepresentation: [String: Any] { return values }
    override func synchronize() -> Bool {
        synchronizeCount += 1
        return mockSynchronize
    }

    /// What another device did arrives.
    func change(_ reason: Int, _ values: [String: Any]) {
        self.values.merge(values) { $1 }
        NotificationCenter.default.post(
            name: NSUbiquitousKeyValueStore.didChangeExternallyNotification, object: self,
            userInfo: [
                NSUbiquitousKeyValueStoreChangeReasonKey: reason,
                NSUbiquitousKeyValueStoreChangedKeysKey: Array(values.keys),
            ])
    }
}

final class KeyValueClientTests: XCTestCase {
    private let suite = "key-value-client-tests-\(UUID().uuidString)"
    private lazy var defaults = UserDefaults(suiteName: suite) ?? .standard

    override func tearDown() {
        defaults.removePersistentDomain(forName: suite)
    }

    private func purchase(_ product: String, quantity: Int = 1) -> MockTransaction {
        let payment = SKMutablePayment(product: MockProduct(product))
        payment.quantity = quantity
        return MockTransaction(payment, .purchased)
    }

    /// Waits until the main queue has delivered what was posted.
    private func wait(until condition: @escaping () -> Bool) {
        let met = XCTNSPredicateExpectation(
            predicate: NSPredicate { _, _ in condition() }, object: nil)
        wait(for: [met], timeout: 20)
    }

    func testPurchasesAreRememberedThenFinished() {
        let store = MockKeyValueStore()
        let memory = PurchaseMemory(store: store, defaults: defaults)
        let queue = SpyQueue()
        XCTAssertEqual(store.synchronizeCount, 1)
        memory.remember(purchase("turbo"), in: queue)
        memory.remember(purchase("coins", quantity: 3), in: queue)
        memory.remember(purchase("coins"), in: queue)
        memory.remember(purchase("moon"), in: queue)
        memory.remember(purchase("moon"), in: queue)
        memory.remember(purchase("season"), in: queue)
        XCTAssertTrue(memory.hasTurbo)
        XCTAssertEqual(memory.coins, 4)
        XCTAssertEqual(memory.tracks, ["moon"])
        XCTAssertEqual(memory.seasons, ["1000": Date(timeIntervalSince1970: 0)])
        XCTAssertEqual(queue.finished.count, 6)
        XCTAssertEqual(store.synchronizeCount, 7)
        XCTAssertFalse(defaults.bool(forKey: "turbo"))
        store.mockSynchronize = false
        memory.remember(purchase("turbo"), in: queue)
        XCTAssertTrue(defaults.bool(forKey: "turbo"))
        memory.forgetEverything()
        XCTAssertEqual(store.values.count, 0)
    }

    func testChangesOfOtherDevicesAreTakenIn() {
        let store = MockKeyValueStore()
        let memory = PurchaseMemory(store: store, defaults: defaults)
        var changed: [[String]] = []
        let token = NotificationCenter.default.addObserver(
            forName: PurchaseMemoryDidChange, object: memory, queue: nil
        ) { changed.append($0.userInfo?["keys"] as? [String] ?? []) }
        defer { NotificationCenter.default.removeObserver(token) }
        store.change(NSUbiquitousKeyValueStoreServerChange, ["turbo": true])
        wait { memory.lastChange == .fromOtherDevice }
        XCTAssertTrue(defaults.bool(forKey: "turbo"))
        store.change(NSUbiquitousKeyValueStoreInitialSyncChange, ["coins": Int64(7)])
        wait { memory.lastChange == .first }
        XCTAssertEqual(defaults.integer(forKey: "coins"), 7)
        store.change(NSUbiquitousKeyValueStoreAccountChange, ["coins": Int64(8)])
        wait { memory.lastChange == .otherAccount }
        XCTAssertEqual(memory.coins, 8)
        XCTAssertEqual(changed, [["turbo"], ["coins"], ["coins"]])
        XCTAssertFalse(memory.isFull)
        store.change(NSUbiquitousKeyValueStoreQuotaViolationChange, ["seal": Data()])
        wait { memory.isFull }
        XCTAssertEqual(changed.count, 3)
    }

    // Without a store the real class keeps values while the process lives.

    func testRealStoreGivesBackWhatWasSet() {
        let memory = PurchaseMemory(defaults: defaults)
        memory.forgetEverything()
        XCTAssertFalse(memory.hasTurbo)
        XCTAssertEqual(memory.coins, 0)
        XCTAssertNil(memory.level)
        memory.hasTurbo = true
        memory.coins = .max
        memory.speed = 2.5
        memory.level = "far side"
        memory.tracks = ["moon", "mars"]
        memory.seal = Data([1, 2])
        memory.remember(purchase("season"), in: SpyQueue())
        let other = PurchaseMemory(defaults: defaults)
        XCTAssertTrue(other.hasTurbo)
        XCTAssertEqual(other.coins, .max)
        XCTAssertEqual(other.speed, 2.5)
        XCTAssertEqual(other.level, "far side")
        XCTAssertEqual(other.tracks, ["moon", "mars"])
        XCTAssertEqual(other.seal, Data([1, 2]))
        XCTAssertEqual(other.seasons, ["1000": Date(timeIntervalSince1970: 0)])
        XCTAssertEqual(defaults.string(forKey: "level"), "far side")
        XCTAssertEqual(NSUbiquitousKeyValueStore.default.dictionaryRepresentation.count, 7)
        memory.level = nil
        XCTAssertNil(other.level)
        memory.forgetEverything()
    }

    func testRealStoreTellsThatThereIsNoRoom() {
        let memory = PurchaseMemory(defaults: defaults)
        memory.forgetEverything()
        memory.seal = Data(count: 2_000_000)
        wait { memory.isFull }
        XCTAssertNil(memory.seal)
        XCTAssertEqual(memory.lastChange, .full)
    }
}
