import Foundation
import StoreModel
import StoreWire
import Testing

@testable import StoreKit

/// Key values between a device and a store that misbehaves.
@Suite struct KeyValueExchangeTests {
    private let shop: Shop

    init() throws {
        shop = try Shop()
    }

    /// One process of the app, with what it was told.
    private final class Phone {
        let process: KeyValueProcess
        let connection: StoreConnection
        let told = KeyValueStoreTests.NewsLog()

        init(_ shop: Shop, signBackIn: @escaping @Sendable () -> Bool = { false }) throws {
            let folder = try HomeFolder(path: shop.home)
            connection = StoreConnection(configuration: try shop.configuration, home: folder)
            let told = told
            process = KeyValueProcess(
                parts: QueueEngine.Parts(
                    connection: connection, home: folder, sheet: AutomaticSheet(account: nil),
                    retries: Retries(delaysMilliseconds: [20, 40])), signBackIn: signBackIn
            ) { told.add($0, $1) }
        }

        func signIn(_ name: String = "ada") throws {
            try connection.signIn(.init(name: name, password: FakeStore.password))
        }

        func text(_ key: String) -> String? { process.values[key]?.asString }
    }

    private func phone(signedIn name: String? = "ada") throws -> Phone {
        let phone = try Phone(shop)
        if let name { try phone.signIn(name) }
        return phone
    }

    /// Whether the first answer came: the next question is there.
    private var isWaiting: Bool { shop.store.count("key-values") > 1 }

    private func stored(_ key: String) -> PropertyListValue? {
        shop.store.keyValues.rows[key]?.value
    }

    @Test func `local key values are sent and remote ones received without any observer`()
        async throws
    {
        let phone = try phone()
        phone.process.set(.string("mine"), for: "a")
        try await shop.sees("the value at the store") { stored("a") == .string("mine") }
        shop.store.setElsewhere("b", .string("theirs"))
        try await shop.sees("their value") { phone.text("b") == "theirs" }
        try await shop.sees("the news") {
            phone.told.all.contains(.init(reason: .server, keys: ["b"]))
        }
        shop.store.setElsewhere("a", nil)
        try await shop.sees("the removal") { phone.text("a") == nil }
        #expect(!phone.told.all.contains { $0.keys.contains("a") && $0.keys.contains("b") })
    }

    @Test func `a device's own key-value changes are not reported back to it`() async throws {
        let phone = try phone()
        try await shop.sees("the first answer") { isWaiting }
        for number in 0..<20 { phone.process.set(.integer(Int64(number)), for: "k\(number)") }
        try await shop.sees("all values at the store") {
            shop.store.keyValues.rows.count == 20
        }
        shop.store.setElsewhere("last", .integer(1))
        try await shop.sees("the news") { phone.told.all.contains { $0.keys == ["last"] } }
        #expect(phone.told.all.allSatisfy { $0.keys == ["last"] || $0.keys.isEmpty })
    }

    @Test(arguments: [
        FakeStore.Fault.dropBefore, .dropAfter, .status(500), .status(429), .nonsense,
        .unauthorized,
    ])
    func `a lost key-value answer applies nothing twice`(fault: FakeStore.Fault) async throws {
        let phone = try Phone(shop, signBackIn: { false })
        try phone.signIn()
        try await shop.sees("the first exchange") { isWaiting }
        // The wait for news is under way; what is sent next goes wrong.
        shop.store.next("key-values", fault)
        phone.process.set(.string("x"), for: "a")
        if case .unauthorized = fault {
            // Registering again ends the sign-in.
            try await shop.sees("the sign-out") { phone.connection.account == nil }
            try phone.signIn()
        }
        try await shop.sees("the value at the store") { stored("a") == .string("x") }
        shop.store.setElsewhere("a", .string("later"))
        try await shop.sees("the later value") { phone.text("a") == "later" }
        #expect(shop.store.keyValues.requests.count == 1)
    }

    @Test func `values set while the store is down are sent later by the next process`()
        async throws
    {
        do {
            let phone = try phone()
            try await shop.sees("the first exchange") { isWaiting }
            shop.store.state.withLock { $0.isDown = true }
            phone.process.set(.string("x"), for: "a")
            #expect(phone.process.synchronize())
        }
        shop.store.state.withLock { $0.isDown = false }
        let next = try phone(signedIn: nil)
        try await shop.sees("the value at the store") { stored("a") == .string("x") }
        #expect(next.text("a") == "x")
    }

    @Test func `values set before a sign-in stay local and then give way to the account's`()
        async throws
    {
        shop.store.setElsewhere("a", .string("theirs"))
        let phone = try phone(signedIn: nil)
        phone.process.set(.string("mine"), for: "a")
        phone.process.set(.string("mine"), for: "b")
        #expect(shop.store.count("key-values") == 0)
        try phone.signIn()
        try await shop.sees("both") {
            stored("b") == .string("mine") && phone.text("a") == "theirs"
        }
        #expect(stored("a") == .string("theirs"))
        try await shop.sees("the news") {
            phone.told.all.contains { $0.reason == .initialSync && $0.keys == ["a"] }
        }
    }

    @Test func `another process's sign-in sends the waiting values`() async throws {
        let phone = try phone(signedIn: nil)
        phone.process.set(.string("mine"), for: "a")
        let settings = StoreConnection(
            configuration: try shop.configuration, home: try HomeFolder(path: shop.home))
        try settings.signIn(.init(name: "ada", password: FakeStore.password), from: .settings)
        try await shop.sees("the value at the store") { stored("a") == .string("mine") }
        #expect(phone.connection.account == "ada")
    }

    @Test func `signing in as another account switches the values, and each finds its own again`()
        async throws
    {
        let phone = try phone()
        phone.process.set(.string("ada's"), for: "a")
        try await shop.sees("the value at the store") { stored("a") == .string("ada's") }
        // The fake store has one set of values; this is the other account's.
        shop.store.state.withLock { $0.keyValues = .init() }
        shop.store.setElsewhere("b", .string("bob's"))
        try phone.signIn("bob")
        try await shop.sees("bob's value") { phone.text("b") == "bob's" && phone.text("a") == nil }
        try await shop.sees("the news") {
            phone.told.all.contains { $0.reason == .account && $0.keys.contains("a") }
        }
        #expect(stored("a") == nil)
    }

    @Test func `another world at the same address is sent no values of this one`() async throws {
        do {
            let phone = try phone()
            phone.process.set(.string("x"), for: "a")
            try await shop.sees("the value at the store") { stored("a") == .string("x") }
            try await shop.sees("its answer") { isWaiting }
        }
        let other = try Shop(afterwards: shop)
        let folder = try HomeFolder(path: other.home)
        let connection = StoreConnection(configuration: try other.configuration, home: folder)
        try connection.signIn(.init(name: "ada", password: FakeStore.password), from: .settings)
        let told = KeyValueStoreTests.NewsLog()
        let next = KeyValueProcess(
            parts: QueueEngine.Parts(
                connection: connection, home: folder, sheet: AutomaticSheet(account: nil),
                retries: Retries(delaysMilliseconds: [20])), signBackIn: { false }
        ) { told.add($0, $1) }
        try await shop.sees("no value") { next.values.isEmpty }
        next.set(.string("y"), for: "b")
        try await shop.sees("the value at the other store") {
            other.store.keyValues.rows["b"]?.value == .string("y")
        }
        #expect(other.store.keyValues.rows["a"] == nil)
    }

    @Test func `a quota violation is reported once and retried after a change`()
        async throws
    {
        let phone = try phone()
        try await shop.sees("the first exchange") { isWaiting }
        shop.store.state.withLock { $0.keyValues.isFull = true }
        phone.process.set(.string("x"), for: "a")
        try await shop.sees("the refusal") {
            phone.told.all.contains(.init(reason: .quotaViolation, keys: ["a"]))
        }
        #expect(phone.text("a") == "x")
        shop.store.state.withLock { $0.keyValues.isFull = false }
        shop.store.setElsewhere("b", .string("y"))
        try await shop.sees("the value at the store") { stored("a") == .string("x") }
        #expect(phone.told.all.filter { $0.reason == .quotaViolation }.count == 1)
    }

    @Test func `a permanent refusal is retried and does not block incoming values`()
        async throws
    {
        shop.store.state.withLock { $0.keyValues.refusesChanges = true }
        let phone = try phone()
        phone.process.set(.string("x"), for: "a")
        try await shop.sees("the first tries") { shop.store.count("key-values") > 3 }
        shop.store.setElsewhere("b", .string("y"))
        try await shop.sees("the news") { phone.text("b") == "y" }
        #expect(phone.text("a") == "x")
        shop.store.state.withLock { $0.keyValues.refusesChanges = false }
        try await shop.sees("the value at the store") { stored("a") == .string("x") }
        #expect(!phone.told.all.contains { $0.reason == .quotaViolation })
    }

    @Test func `a store without key values is asked again with growing patience`() async throws {
        shop.store.next("key-values", .refusal(404, "notFound"), .refusal(404, "notFound"))
        let phone = try phone()
        phone.process.set(.string("x"), for: "a")
        try await shop.sees("the value at the store") { stored("a") == .string("x") }
    }

    @Test func `synchronizing fetches values nobody waited for`() async throws {
        let phone = try phone()
        try await shop.sees("the first exchange") { isWaiting }
        shop.store.setElsewhere("a", .string("x"))
        #expect(phone.process.synchronize())
        try await shop.sees("the value") { phone.text("a") == "x" }
    }
}
