import Foundation
import StoreModel
import StoreWire
import Synchronization
import TestSupport
import Testing

@testable import StoreKit

/// Key values as an app reads and sets them, on a real disk and without a store.
@Suite struct KeyValueStoreTests {
    /// What an app was told.
    final class NewsLog: Sendable {
        struct News: Equatable {
            let reason: KeyValueReason
            let keys: [String]
        }

        private let news = Mutex<[News]>([])
        var all: [News] { news.withLock { $0 } }

        func add(_ reason: KeyValueReason, _ keys: Set<String>) {
            news.withLock { $0.append(News(reason: reason, keys: keys.sorted())) }
        }
    }

    /// A home folder that goes with its owner.
    final class Home: Sendable {
        private let folder = TemporaryFolder()
        var path: String { folder.file("home") }

        /// Key values as one more process has them.
        func open() throws -> (store: KeyValueStore, told: NewsLog) {
            let told = NewsLog()
            let folder = KeyValueFolder(home: try HomeFolder(path: path))
            return (KeyValueStore(folder: folder) { told.add($0, $1) }, told)
        }
    }

    private let home = Home()
    private static let ada = KeyValueOwner(
        customer: Customer(worldId: "W", account: "ada"), environment: "Sandbox")
    private static let bob = KeyValueOwner(
        customer: Customer(worldId: "W", account: "bob"), environment: "Sandbox")

    private func whole(_ revision: Int64, _ values: [String: PropertyListValue]) -> KeyValuesBody {
        KeyValuesBody(
            revision: revision, isWhole: true,
            entries: values.map { KeyValueBody(key: $0.key, value: $0.value) })
    }

    @Test func `values are there for the next process`() throws {
        try home.open().store.set(.string("x"), for: "a")
        let (store, told) = try home.open()
        #expect(store.values == ["a": .string("x")])
        #expect(told.all.isEmpty)
    }

    @Test func `two processes see and are notified of each other's values`() throws {
        let (one, toldOne) = try home.open()
        let (two, toldTwo) = try home.open()
        one.set(.integer(1), for: "a")
        two.set(.integer(2), for: "b")
        #expect(two.values == ["a": .integer(1), "b": .integer(2)])
        #expect(one.values == two.values)
        #expect(toldOne.all == [.init(reason: .server, keys: ["b"])])
        #expect(toldTwo.all == [.init(reason: .server, keys: ["a"])])
        two.set(nil, for: "a")
        #expect(one.values == ["b": .integer(2)])
    }

    @Test func `processes that set values at once lose nothing`() async throws {
        let home = home
        try await withThrowingTaskGroup { group in
            for process in 0..<4 {
                group.addTask {
                    let (store, _) = try home.open()
                    for number in 0..<25 {
                        store.set(.integer(Int64(number)), for: "\(process)-\(number)")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try home.open().store.values.count == 100)
    }

    @Test func `values beyond the quota are reported and change nothing`() throws {
        let (store, told) = try home.open()
        let most = [UInt8](repeating: 0, count: KeyValueLimits.bytesMax)
        store.set(.data(most), for: "a")
        store.set(.boolean(true), for: "b")
        #expect(store.values == ["a": .data(most)])
        #expect(told.all == [.init(reason: .quotaViolation, keys: ["b"])])
    }

    @Test func `an account takes over unowned values and the next account sees none of them`()
        throws
    {
        let (store, told) = try home.open()
        store.set(.string("local"), for: "a")
        try store.show(Self.ada)
        #expect(store.values == ["a": .string("local")])
        let step = try #require(try store.nextStep(of: Self.ada))
        #expect(step.request?.isInitial == true)
        try store.take(
            whole(1, ["a": .string("local")]), to: nil, answering: step.request?.id, of: Self.ada)
        store.set(.string("waits"), for: "a")
        try store.show(Self.bob)
        #expect(store.values.isEmpty)
        store.tellNews()
        #expect(told.all.last == .init(reason: .account, keys: ["a"]))
        #expect(try store.nextStep(of: Self.ada) == nil)
        #expect(try store.nextStep(of: Self.bob)?.request == nil)
        // What was not sent waits for its account.
        try store.show(Self.ada)
        #expect(store.values == ["a": .string("waits")])
        #expect(
            try store.nextStep(of: Self.ada)?.request?.changes == [
                "a": .init(value: .string("waits"))
            ])
    }

    @Test func `worlds and environments have separate values`() throws {
        let (store, _) = try home.open()
        let others = [
            KeyValueOwner(customer: Self.ada.customer, environment: "Production"),
            KeyValueOwner(
                customer: Customer(worldId: "../../..", account: "ada"), environment: "Sandbox"),
            KeyValueOwner(
                customer: Customer(worldId: "W", account: "a/../../b \u{0}é"),
                environment: "Sandbox"),
        ]
        try store.show(Self.ada)
        store.set(.integer(0), for: "a")
        for other in others {
            try store.show(other)
            #expect(store.values.isEmpty)
            store.set(.integer(1), for: "a")
        }
        try store.show(Self.ada)
        #expect(store.values == ["a": .integer(0)])
        // A file for each, two folders deep; a name that leads out would lie above.
        let files = try FileManager.default.subpathsOfDirectory(atPath: home.path)
            .filter { $0.hasSuffix(".json") && !$0.hasSuffix("/owner.json") }
        #expect(files.count == others.count + 1, "\(files)")
        #expect(
            files.allSatisfy { $0.hasPrefix("key-values/") && $0.split(separator: "/").count == 3 },
            "\(files)")
    }

    @Test func `a key-value answer after another sign-in goes to its own account`() throws {
        let (store, told) = try home.open()
        try store.show(Self.ada)
        store.set(.integer(1), for: "a")
        let request = try #require(try store.nextStep(of: Self.ada)?.request)
        try store.show(Self.bob)
        try store.take(whole(1, ["a": .integer(1)]), to: nil, answering: request.id, of: Self.ada)
        #expect(store.values.isEmpty)
        try store.show(Self.ada)
        #expect(try store.nextStep(of: Self.ada)?.request == nil)
        #expect(store.values == ["a": .integer(1)])
        store.tellNews()
        #expect(told.all.allSatisfy { $0.reason != .server })
    }

    @Test func `another process's sign-in is noticed by the key-value store`() throws {
        let (one, told) = try home.open()
        let (two, _) = try home.open()
        try one.show(Self.ada)
        one.set(.integer(1), for: "a")
        try two.show(Self.bob)
        #expect(one.values.isEmpty)
        #expect(told.all == [.init(reason: .account, keys: ["a"])])
    }

    @Test func `a disk that cannot be written does not hide values from the app`() throws {
        let (store, told) = try home.open()
        store.set(.integer(1), for: "a")
        let folder = home.path + "/key-values"
        // Whoever runs the tests: a file where the folder was refuses everybody.
        try FileManager.default.moveItem(atPath: folder, toPath: folder + "-away")
        try Data().write(to: URL(fileURLWithPath: folder))
        store.set(.integer(2), for: "a")
        store.set(.integer(3), for: "b")
        #expect(!store.save())
        #expect(store.values == ["a": .integer(2), "b": .integer(3)])
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.moveItem(atPath: folder + "-away", toPath: folder)
        #expect(store.values == ["a": .integer(2), "b": .integer(3)])
        #expect(store.save())
        #expect(try home.open().store.values == ["a": .integer(2), "b": .integer(3)])
        #expect(told.all.isEmpty)
    }

    @Test func `values the disk refused under one account never become another's`() throws {
        let (store, _) = try home.open()
        let other = try home.open().store
        try store.show(Self.ada)
        let folder = home.path + "/key-values"
        try FileManager.default.moveItem(atPath: folder, toPath: folder + "-away")
        try Data().write(to: URL(fileURLWithPath: folder))
        store.set(.string("ada's"), for: "a")
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.moveItem(atPath: folder + "-away", toPath: folder)
        // Another process signs somebody else in.
        try other.show(Self.bob)
        store.set(.string("bob's"), for: "b")
        #expect(store.values == ["b": .string("bob's")])
        #expect(try home.open().store.values == ["b": .string("bob's")])
        try other.show(Self.ada)
        #expect(store.save())
        #expect(store.values == ["a": .string("ada's")])
    }

    @Test func `a damaged key-value file is set aside`() throws {
        try home.open().store.set(.integer(1), for: "a")
        let file = home.path + "/key-values/nobody.json"
        try Data("{".utf8).write(to: URL(fileURLWithPath: file))
        let (store, _) = try home.open()
        #expect(store.values.isEmpty)
        store.set(.integer(2), for: "a")
        #expect(FileManager.default.fileExists(atPath: file + ".damaged"))
        #expect(try home.open().store.values == ["a": .integer(2)])
    }

    @Test func `values without a store are kept in memory with the same limits`() {
        let told = NewsLog()
        let store = KeyValueStore(folder: nil) { told.add($0, $1) }
        store.set(.integer(1), for: "a")
        store.set(.data([UInt8](repeating: 0, count: KeyValueLimits.bytesMax)), for: "b")
        #expect(store.values == ["a": .integer(1)])
        #expect(told.all == [.init(reason: .quotaViolation, keys: ["b"])])
        #expect(!store.save())
        store.set(nil, for: "a")
        #expect(store.values.isEmpty)
    }
}
