import Dispatch
import Foundation
import StoreDatabase
import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import AppStoreServer

/// Requests to extend all active subscribers of a product: who is extended, once, and who is not.
struct MassExtensionTests {
    private typealias Fixture = SubscriptionFixture
    private static let path = "/inApps/v1/subscriptions/extend/mass"
    private static let request = "A1111111-2222-4333-8444-555555555555"

    private static func body(_ changes: JSONValue = [:]) -> JSONValue {
        let whole: JSONValue = [
            "extendByDays": 7, "extendReasonCode": 3, "productId": .string(Fixture.silver),
            "requestIdentifier": .string(request),
        ]
        return whole.merging(changes)
    }

    /// Waits until a request is carried out, and gives how many were extended and how many not.
    private func ended(
        _ api: ServerAPIFixture, _ request: String = request, product: String = Fixture.silver
    ) async throws -> [Int64] {
        while true {
            let answer = await api.ask("GET", "\(Self.path)/\(product)/\(request)")
            try #require(answer.status == 200)
            let found = try WireJSON.decode(
                MassExtendRenewalDateStatusAnswer.self, from: answer.body)
            #expect(found.requestIdentifier == request)
            #expect(found.complete == (found.completeDate != nil))
            if let succeeded = found.succeededCount, let failed = found.failedCount {
                return [succeeded, failed]
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private func ask(_ api: ServerAPIFixture, _ changes: JSONValue = [:]) async throws {
        let body = Self.body(changes)
        let answer = await api.ask("POST", Self.path, body)
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        let echo = try WireJSON.decode(MassExtendRenewalDateAnswer.self, from: answer.body)
        #expect(echo.requestIdentifier == body["requestIdentifier"]?.string)
    }

    private func ends(_ shop: Fixture) throws -> [Int64] {
        try shop.store.registry.defaultWorld.database.read {
            try $0.values(
                """
                SELECT expires_ms FROM store_transaction WHERE subscription_group IS NOT NULL
                ORDER BY id
                """)
        }
    }

    private func count(_ kind: String, _ shop: Fixture) throws -> Int64 {
        try shop.store.registry.defaultWorld.database.read {
            try $0.value("SELECT count(*) FROM event WHERE kind = '\(kind)'") ?? 0
        }
    }

    @Test func `all subscribers of a product are extended once, in several commits`() async throws {
        let shop = try await Fixture(at: "2026-04-01T00:00:00Z")
        let api = try await ServerAPIFixture(of: shop.store)
        try await shop.buy()
        let copies = 2 * MassExtensionWorker.subscriptionsMax + 50
        try shop.copySubscription(copies)
        let before = try ends(shop)
        try await ask(api)
        #expect(try await ended(api) == [Int64(copies) + 1, 0])
        #expect(try ends(shop) == before.map { $0 + 7 * Timestamp.dayMilliseconds })
        // The same identifier, whatever comes with it, changes nothing.
        try await ask(api)
        try await ask(api, ["requestIdentifier": .string(Self.request.lowercased())])
        try await ask(api, ["extendByDays": 9, "productId": .string(Fixture.gold)])
        #expect(try await ended(api, Self.request.lowercased()) == [Int64(copies) + 1, 0])
        let worker = shop.store.registry.defaultWorld.massExtensions
        await withCheckedContinuation { next in worker.loop.afterTurn { next.resume() } }
        #expect(try count("extended", shop) == Int64(copies) + 1)
        #expect(
            try await api.error("GET", "\(Self.path)/\(Fixture.gold)/\(Self.request)")
                == [404, 4_040_009])
        // A month has the extension's days, and no more.
        try await shop.advance(to: "2026-05-07T12:00:00Z")
        #expect(try count("renewed", shop) == 0)
        try await shop.advance(to: "2026-05-08T12:00:00Z")
        #expect(try count("renewed", shop) == Int64(copies) + 1)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let changes: JSONValue
        let number: Int
        var testDescription: String { "\(number)" }
    }

    static let refusals = [
        Refusal(changes: ["extendByDays": 0], number: 4_000_009),
        Refusal(changes: ["extendByDays": 91], number: 4_000_009),
        Refusal(changes: ["extendReasonCode": 4], number: 4_000_010),
        Refusal(changes: ["requestIdentifier": "outage-7"], number: 4_000_011),
        Refusal(changes: ["productId": ""], number: 4_000_023),
        Refusal(changes: ["productId": "com.example.rocketcar.iron"], number: 4_000_023),
        Refusal(changes: ["productId": "com.example.rocketcar.turbo"], number: 4_000_023),
        Refusal(changes: ["storefrontCountryCodes": []], number: 4_000_027),
        Refusal(changes: ["storefrontCountryCodes": ["US"]], number: 4_000_028),
        Refusal(changes: ["storefrontCountryCodes": ["USA", 7]], number: 4_000_028),
        Refusal(changes: ["storefrontCountryCodes": "USA"], number: 4_000_028),
    ]

    @Test func `a request that is not right is refused and kept nowhere`() async throws {
        let shop = try await Fixture()
        let api = try await ServerAPIFixture(of: shop.store)
        for row in Self.refusals {
            #expect(
                try await api.error("POST", Self.path, Self.body(row.changes)) == [
                    400, row.number,
                ],
                "\(row.changes)")
        }
        #expect(try await api.error("POST", Self.path, nil) == [400, 4_000_000])
        let url = "\(Self.path)/\(Fixture.silver)"
        #expect(try await api.error("GET", "\(url)/outage-7") == [400, 4_000_011])
        #expect(try await api.error("GET", "\(url)/\(Self.request)") == [404, 4_040_009])
        let production = ServerAPIFixture(store: shop.store, base: "/production", token: api.token)
        try await ask(api)
        #expect(try await production.error("GET", "\(url)/\(Self.request)") == [404, 4_040_009])
        #expect(await shop.store.send("POST", "/sandbox\(Self.path)", token: "x").status == 401)
        let kept: Int64? = try shop.store.registry.defaultWorld.database.read {
            try $0.value("SELECT count(*) FROM mass_extension")
        }
        #expect(kept == 1)
    }

    /// A subscriber, in the state in which the request finds them.
    struct Subscriber: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sql: String
        let succeeds: Bool?
    }

    static let subscribers = [
        Subscriber(testDescription: "an active one", sql: "", succeeds: true),
        Subscriber(
            testDescription: "one who does not renew", sql: "SET is_auto_renewing = 0",
            succeeds: true),
        Subscriber(
            testDescription: "one on a free trial",
            sql: """
                SET offer_kind = 'introductory', offer_mode = 'freeTrial', offer_milliunits = 0,
                offer_periods_left = 0
                """, succeeds: false),
        Subscriber(
            testDescription: "one of another product",
            sql: "SET product_id = '\(SubscriptionFixture.gold)'", succeeds: nil),
        Subscriber(
            testDescription: "one whose payment is retried", sql: "SET phase = 'billingRetry'",
            succeeds: nil),
        Subscriber(
            testDescription: "one in the grace period",
            sql: "SET phase = 'gracePeriod', grace_until_ms = expires_ms", succeeds: nil),
        Subscriber(
            testDescription: "one whose subscription ended",
            sql: "SET phase = 'expired', expiration_reason = 1, due_ms = NULL", succeeds: nil),
        Subscriber(
            testDescription: "one whose subscription was revoked",
            sql: "SET phase = 'revoked', due_ms = NULL", succeeds: nil),
    ]

    @Test(arguments: subscribers)
    func `active subscribers of the product alone are extended`(subscriber: Subscriber) async throws
    {
        let shop = try await Fixture(at: "2026-04-01T00:00:00Z")
        let api = try await ServerAPIFixture(of: shop.store)
        try await shop.buy()
        if !subscriber.sql.isEmpty {
            try shop.store.registry.defaultWorld.database.write {
                _ = try $0.execute("UPDATE subscription \(subscriber.sql)")
            }
        }
        try await ask(api)
        let expected: [Int64] = subscriber.succeeds.map { $0 ? [1, 0] : [0, 1] } ?? [0, 0]
        #expect(try await ended(api) == expected)
        #expect(try [count("extended", shop), count("extensionFailed", shop)] == expected)
        let failed = try shop.events().filter { $0.hasPrefix("extensionFailed") }
        #expect(failed.allSatisfy { $0.hasSuffix(" \(Self.request.lowercased())") })
    }

    @Test func `a third extension within a year fails, and is told`() async throws {
        let shop = try await Fixture(at: "2026-04-01T00:00:00Z")
        let api = try await ServerAPIFixture(of: shop.store)
        let first = try await shop.buy().transactionId
        try await shop.change(first, "extend", body: ExtendSubscriptionBody(days: 1))
        let requests = (1...3).map { "0000000\($0)-2222-4333-8444-555555555555" }
        for request in requests { try await ask(api, ["requestIdentifier": .string(request)]) }
        var found: [[Int64]] = []
        for request in requests { found.append(try await ended(api, request)) }
        #expect(found == [[1, 0], [0, 1], [0, 1]])
        #expect(
            try await api.error(
                "PUT", "/inApps/v1/subscriptions/extend/\(first)",
                ["extendByDays": 1, "extendReasonCode": 0, "requestIdentifier": "x"])
                == [403, 4_030_005])
    }

    static let places: [([String], Int64)] = [
        (["USA"], 1), (["DEU"], 0), (["DEU", "USA", "DEU"], 1),
    ]

    @Test(arguments: places)
    func `only the storefronts of the request are extended`(
        codes: [String], succeeded: Int64
    ) async throws {
        let shop = try await Fixture()
        let api = try await ServerAPIFixture(of: shop.store)
        try await shop.buy()
        try await ask(
            api, ["storefrontCountryCodes": .array(codes.map { .string($0) })])
        #expect(try await ended(api) == [succeeded, 0])
    }

    @Test func `a period that is over is renewed first, and the next one extended`() async throws {
        let shop = try await Fixture(at: "2026-04-01T00:00:00Z")
        let api = try await ServerAPIFixture(of: shop.store)
        try await shop.buy()
        let world = shop.store.registry.defaultWorld
        let held = await HeldRenewals(of: world)
        defer { held.goOn() }
        let later = try #require(Timestamp(rfc3339: "2026-05-02T00:00:00Z"))
        try world.database.write { try $0.setClock(.held(at: later)) }
        world.time.use(.held(at: later))
        try await ask(api)
        #expect(try await ended(api) == [1, 0])
        #expect(
            try shop.periods() == [
                "silver 2026-04-01 2026-05-01 9990", "silver 2026-05-01 2026-06-08 9990 renewal",
            ])
    }

    @Test func `one that cannot be settled counts as failed and holds up no other`() async throws {
        let shop = try await Fixture(at: "2026-04-01T00:00:00Z")
        let api = try await ServerAPIFixture(of: shop.store)
        try await shop.buy()
        try shop.copySubscription(3)
        try shop.store.registry.defaultWorld.database.write {
            _ = try $0.execute(
                "UPDATE subscription SET period = 'soon' WHERE original_id = 2000000000000002")
        }
        try await ask(api)
        #expect(try await ended(api) == [3, 1])
        #expect(shop.store.lines.all.count { $0.contains("massExtensionSetAside") } == 1)
    }

    @Test func `one that cannot be settled fails as it stands, and its app is notified`()
        async throws
    {
        let shop = try await Fixture(at: "2026-04-01T00:00:00Z")
        let api = try await ServerAPIFixture(of: shop.store)
        try await shop.buy()
        try await shop.store.notify()
        let world = shop.store.registry.defaultWorld
        let held = await HeldRenewals(of: world)
        defer { held.goOn() }
        let later = try #require(Timestamp(rfc3339: "2026-05-02T00:00:00Z"))
        try world.database.write { scope in
            try scope.setClock(.held(at: later))
            _ = try scope.execute(
                """
                CREATE TRIGGER broken BEFORE INSERT ON store_transaction
                BEGIN SELECT RAISE(ABORT, 'broken'); END
                """)
        }
        world.time.use(.held(at: later))
        try await ask(api)
        #expect(try await ended(api) == [0, 1])
        #expect(try count("extensionFailed", shop) == 1)
        let told: [String] = try world.database.read {
            try $0.values("SELECT kind || '/' || subtype FROM notification ORDER BY number")
        }
        #expect(told == ["RENEWAL_EXTENSION/FAILURE", "RENEWAL_EXTENSION/SUMMARY"])
    }

    @Test func `a long request lets others write`() async throws {
        let shop = try await Fixture(at: "2026-04-01T00:00:00Z")
        let api = try await ServerAPIFixture(of: shop.store)
        try await shop.buy()
        try shop.copySubscription(99)
        let world = shop.store.registry.defaultWorld
        try world.database.write { scope in
            let app = try scope.reading.knownApp(TestStore.bundleID).id
            try scope.add(
                try MassExtension.Terms(Self.body()), of: app, .sandbox, at: world.time.now())
        }
        // One command runs until the worker's waits behind it, and a third behind that.
        let seen = AsyncStream<Int64?>.makeStream()
        try world.database.write { scope in
            world.massExtensions.wake()
            while !world.database.isWriterWanted { usleep(1_000) }
            world.database.write({ scope -> Int64? in
                try scope.value("SELECT succeeded FROM mass_extension")
            }) { result in seen.continuation.yield(try? result.get()) }
            _ = try scope.execute("UPDATE clock SET offset_ms = offset_ms")
        }
        var values = seen.stream.makeAsyncIterator()
        #expect(await values.next() == 20)
        #expect(try await ended(api) == [100, 0])
    }

    @Test func `a request goes on when the world is opened again`() async throws {
        let folder = TemporaryFolder()
        var first: Fixture? = try await Fixture(store: try TestStore(folder: folder))
        try await first?.buy()
        try first?.copySubscription(30)
        let world = try #require(first?.store.registry.defaultWorld)
        let last = try world.database.write { scope -> Int64? in
            let app = try scope.reading.knownApp(TestStore.bundleID).id
            try scope.add(
                try MassExtension.Terms(Self.body()), of: app, .sandbox, at: world.time.now())
            // Ten of them are done.
            try scope.execute(
                """
                UPDATE mass_extension SET succeeded = 10, position = (
                    SELECT max(original_id) FROM (
                        SELECT original_id FROM subscription ORDER BY original_id LIMIT 10) AS ten)
                """)
            return try scope.value("SELECT position FROM mass_extension")
        }
        first?.store.registry.close()
        first = nil
        let store = try TestStore(folder: folder)
        let api = try await ServerAPIFixture(of: store)
        #expect(try await ended(api) == [31, 0])
        let done: [Int64] = try store.registry.defaultWorld.database.read {
            try $0.values("SELECT transaction_id FROM event WHERE kind = 'extended'")
        }
        #expect(done.count == 21 && done.allSatisfy { $0 > last ?? .max })
    }

    @Test func `subscriptions that began after the request are left alone`() async throws {
        let shop = try await Fixture()
        let api = try await ServerAPIFixture(of: shop.store)
        let world = shop.store.registry.defaultWorld
        try world.database.write { scope in
            let app = try scope.reading.knownApp(TestStore.bundleID).id
            try scope.add(
                try MassExtension.Terms(Self.body()), of: app, .sandbox, at: world.time.now())
        }
        try await shop.buy()
        world.massExtensions.wake()
        #expect(try await ended(api) == [0, 0])
    }

    @Test func `more requests than a world keeps waiting are refused`() async throws {
        let shop = try await Fixture()
        let api = try await ServerAPIFixture(of: shop.store)
        let world = shop.store.registry.defaultWorld
        let goesOn = DispatchSemaphore(value: 0)
        await withCheckedContinuation { next in
            world.massExtensions.loop.afterTurn {
                next.resume()
                goesOn.wait()
            }
        }
        try world.database.write { scope in
            let app = try scope.reading.knownApp(TestStore.bundleID).id
            for number in 0..<Limits.massExtensionsOpenMax {
                let request = "\(10_000_000 + number)-2222-4333-8444-555555555555"
                let terms = Self.body(["requestIdentifier": .string(request)])
                try scope.add(
                    try MassExtension.Terms(terms), of: app, .sandbox, at: world.time.now())
            }
        }
        let answer = await api.ask("POST", Self.path, Self.body())
        #expect(answer.status == 429)
        #expect(try JSONValue(parsing: answer.body)["errorCode"]?.wholeNumber == 4_290_000)
        #expect(answer.headers["Retry-After"] == nil, "nobody knows when one is carried out")
        goesOn.signal()
    }
}
