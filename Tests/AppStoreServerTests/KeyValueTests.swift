import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// The key-value store of an account in an app, as its devices and its owner ask for it.
struct KeyValueTests {
    private let store: TestStore
    private let otherDevice = "0D6A4D7C-61A4-4B0E-9A3C-7B2B7A3C9E22"

    init() throws {
        store = try TestStore()
    }

    private static let path = "/sandbox/device/v1/key-values"

    private func put(
        _ changes: [String: PropertyListValue?], after: Int64 = 0, id: String = UUID().uuidString,
        isInitial: Bool = false, token: String
    ) async throws -> HTTPResponse {
        await store.send(
            "PUT", Self.path, token: token,
            body: try WireJSON.encode(
                ChangeKeyValuesBody(
                    requestId: id, after: after, isInitial: isInitial,
                    changes: changes.sorted { $0.key < $1.key }
                        .map { KeyValueBody(key: $0.key, value: $0.value) })))
    }

    private func read(_ answer: HTTPResponse) throws -> KeyValuesBody {
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try WireJSON.decode(KeyValuesBody.self, from: answer.body)
    }

    private func values(after: Int64 = 0, wait: Int = 0, token: String) async throws
        -> KeyValuesBody
    {
        try read(
            await store.send("GET", "\(Self.path)?after=\(after)&wait=\(wait)", token: token))
    }

    private func plain(_ body: KeyValuesBody) -> [String: PropertyListValue?] {
        Dictionary(uniqueKeysWithValues: body.entries.map { ($0.key, $0.value) })
    }

    @Test func `a device's key-value changes reach another device from any revision on`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let other = try await store.signIn(guid: otherDevice)
        #expect(
            try await values(token: token)
                == KeyValuesBody(revision: 0, isWhole: true, entries: []))
        let first = try read(try await put(["a": .integer(1), "b": .string("x")], token: token))
        #expect(first.revision == 1)
        #expect(try await values(token: other) == first)
        let second = try read(
            try await put(["a": nil, "c": .boolean(true)], after: 1, token: other))
        #expect(plain(second) == ["a": nil, "c": .boolean(true)])
        #expect(!second.isWhole)
        #expect(try await values(after: 1, token: token) == second)
        let whole = try await values(token: token)
        #expect(whole.isWhole)
        #expect(plain(whole) == ["b": .string("x"), "c": .boolean(true)])
        #expect(try await values(after: 2, token: token).entries == [])
    }

    @Test func `a key-value answer is written as the JSON encoder would write it`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let odd: [String: PropertyListValue?] = [
            "a/b\\c\"d\u{1}é": .string("\u{2028}/\\\"\u{0}"),
            "numbers": .array([.real(ExactNumber(1e300)), .large(.max), .date(ExactNumber(-0.0))]),
        ]
        let answer = try await put(odd, token: token)
        let body = try read(answer)
        #expect(plain(body) == odd)
        #expect(answer.body == (try WireJSON.encode(body)))
    }

    @Test func `a device that names an unknown revision is sent everything`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        _ = try await put(["a": .integer(1)], token: token)
        let answer = try await values(after: 99, token: token)
        #expect(answer.isWhole && answer.revision == 1)
    }

    @Test func `a repeated key-value request is applied once and its id serves no other`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let other = try await store.signIn(guid: otherDevice)
        let id = UUID().uuidString
        _ = try await put(["a": .integer(1)], id: id, token: token)
        _ = try await put(["a": .integer(2)], token: other)
        // Late, and with another revision: what came after it stays.
        let late = try read(
            try await put(["a": .integer(1)], after: 1, id: id.lowercased(), token: token))
        #expect(plain(late) == ["a": .integer(2)])
        #expect(late.revision == 2)
        let reused = try await put(["a": .integer(3)], id: id, token: token)
        #expect(reused.status == 409)
        #expect(errorCode(reused) == "requestIdReused")
        let initial = try await put(["a": .integer(1)], id: id, isInitial: true, token: token)
        #expect(errorCode(initial) == "requestIdReused")
        // Another device may use it: ids are each device's own.
        let elsewhere = try read(try await put(["b": .integer(1)], id: id, token: other))
        #expect(elsewhere.revision == 3)
    }

    @Test func `changes without effect wake nobody and raise no revision`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        _ = try await put(["a": .integer(1)], token: token)
        let same = try read(
            try await put(["a": .integer(1), "never": nil], after: 1, token: token))
        #expect(same == KeyValuesBody(revision: 1, isWhole: false, entries: []))
    }

    @Test func `a device's first values do not overwrite the account's`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        _ = try await put(["a": .integer(1), "gone": .integer(1)], token: token)
        _ = try await put(["gone": nil], token: token)
        let answer = try read(
            try await put(
                ["a": .integer(2), "b": .integer(2), "gone": .integer(2)], isInitial: true,
                token: token))
        #expect(
            plain(answer) == ["a": .integer(1), "b": .integer(2), "gone": .integer(2)])
    }

    @Test func `accounts, apps and environments have separate values`() async throws {
        try await store.stock()
        _ = try await store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "other", password: "rocket-fuel-1", storefront: nil))
        let token = try await store.signIn()
        _ = try await put(["a": .integer(1)], token: token)
        let other = try await store.signIn(guid: otherDevice, account: "other")
        #expect(try await values(token: other).entries == [])
        let nobody = try await store.register(guid: UUID().uuidString)
        let refused = await store.send("GET", Self.path, token: nobody)
        #expect(refused.status == 401)
        #expect(errorCode(refused) == "notSignedIn")
        #expect(try await put(["a": .integer(2)], token: nobody).status == 401)
        let production = await store.send(
            "GET", "/production/device/v1/key-values", token: token)
        #expect(production.status == 401)
    }

    @Test func `changes beyond the quota are refused and change nothing`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let most = KeyValueLimits.bytesMax
        let one = try await put(
            ["a": .data([UInt8](repeating: 7, count: most))], token: token)
        #expect(try read(one).revision == 1)
        for tooMuch: [String: PropertyListValue?] in [
            ["b": .boolean(true)], ["a": .data([UInt8](repeating: 7, count: most + 1))],
            ["b": .integer(1), "c": nil],
        ] {
            let answer = try await put(tooMuch, token: token)
            #expect(answer.status == 409)
            #expect(errorCode(answer) == "keyValuesFull")
        }
        #expect(try await values(after: 1, token: token).revision == 1)
        // A removal makes room in the same request.
        let swapped = try read(try await put(["a": nil, "b": .integer(1)], after: 1, token: token))
        #expect(plain(swapped) == ["a": nil, "b": .integer(1)])

        let many = (1..<KeyValueLimits.keysMax).map {
            ("k\($0)", PropertyListValue?.some(.integer(1)))
        }
        _ = try read(try await put(Dictionary(uniqueKeysWithValues: many), token: token))
        let full = try await put(["one more": .integer(1)], token: token)
        #expect(errorCode(full) == "keyValuesFull")
    }

    @Test func `a refused request may be repeated once there is room`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let id = UUID().uuidString
        let half = PropertyListValue.data([UInt8](repeating: 7, count: KeyValueLimits.bytesMax))
        _ = try await put(["a": half], token: token)
        #expect(try await put(["b": half], id: id, token: token).status == 409)
        _ = try await put(["a": nil], token: token)
        #expect(try await put(["b": half], id: id, token: token).status == 200)
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        let name: String
        let body: String
        var status = 422
        var testDescription: String { name }
    }

    private static func body(_ changes: String, id: String = "\"\(UUID().uuidString)\"") -> String {
        #"{"requestId":\#(id),"after":0,"isInitial":false,"changes":[\#(changes)]}"#
    }

    private static func nested(_ depth: Int) -> String {
        String(repeating: #"{"array":["#, count: depth) + String(repeating: "]}", count: depth)
    }

    static let bad = [
        Bad(name: "no key", body: body(#"{"key":""}"#)),
        Bad(name: "a long key", body: body(#"{"key":"\#(String(repeating: "é", count: 33))"}"#)),
        Bad(name: "NUL in a key", body: body(#"{"key":"a\u0000"}"#)),
        Bad(name: "a key twice", body: body(#"{"key":"a"},{"key":"a"}"#)),
        Bad(name: "no UUID", body: body("", id: "\"x\"")),
        Bad(
            name: "a revision below 0",
            body: body("").replacing(#""after":0"#, with: #""after":-1"#)),
        Bad(
            name: "too many changes",
            body: body(
                (0...KeyValueLimits.changesMax).map { #"{"key":"\#($0)"}"# }
                    .joined(separator: ","))),
        Bad(
            name: "collections in each other, one too many",
            body: body(#"{"key":"a","value":\#(nested(KeyValueLimits.depthMax + 1))}"#)),
        Bad(
            name: "a bomb of collections",
            body: body(#"{"key":"a","value":\#(nested(100_000))}"#), status: 400),
        Bad(
            name: "a value that is none", body: body(#"{"key":"a","value":{"url":"x"}}"#),
            status: 400),
        Bad(name: "a plain number", body: body(#"{"key":"a","value":5}"#), status: 400),
        Bad(name: "no JSON", body: "bplist00", status: 400),
        Bad(name: "no changes", body: #"{"requestId":"x"}"#, status: 400),
    ]

    @Test(arguments: bad) func `an invalid key-value request is refused with a reason`(bad: Bad)
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let answer = await store.send("PUT", Self.path, token: token, body: Array(bad.body.utf8))
        #expect(answer.status == bad.status, "\(String(decoding: answer.body, as: UTF8.self))")
        #expect(errorCode(answer) == (bad.status == 400 ? "badBody" : "badField"))
        #expect(try await values(token: token).revision == 0)
    }

    @Test func `a waiting device is woken by a change of its app's values, not by a purchase`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let other = try await store.signIn(guid: otherDevice)
        async let news = values(after: 0, wait: 25, token: other)
        _ = try await store.buy(Samples.fuel, token: token)
        _ = try await put(["a": .integer(1)], token: token)
        #expect(try await plain(news) == ["a": .integer(1)])
    }

    @Test func `polls for events and for key values do not end each other`() async throws {
        let hub = UpdateHub(gate: Gate(limit: 100))
        let ended = Lines()
        func wait(_ topic: UpdateHub.Topic, _ name: String) -> Bool {
            hub.wait(for: AccountID(1), device: DeviceID(1), topic: topic, seconds: 3_600) {
                ended.add(name)
            }
        }
        for number in 0..<Limits.pollsPerDeviceMax {
            #expect(wait(.events, "event \(number)"))
            #expect(wait(.keyValues(AppID(1)), "value \(number)"))
        }
        hub.wake(AccountID(1), .keyValues(AppID(2)))
        hub.wake(AccountID(1), .keyValues(AppID(1)))
        while ended.all.count < Limits.pollsPerDeviceMax {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(ended.all.allSatisfy { $0.hasPrefix("value") })
        hub.wake(AccountID(1))
        while ended.all.count < 2 * Limits.pollsPerDeviceMax {
            try await Task.sleep(for: .milliseconds(5))
        }
        hub.close()
    }

    @Test
    func `tombstones are dropped in the end, and a device that missed them is sent everything`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        for round in 0..<3 {
            let keys = (0..<600).map { "k\(round)-\($0)" }
            let all = Dictionary(
                uniqueKeysWithValues: keys.map { ($0, PropertyListValue?.some(.integer(1))) })
            _ = try read(try await put(all, token: token))
            _ = try read(
                try await put(all.mapValues { _ in nil }, after: 1, token: token))
        }
        let rows = try store.registry.defaultWorld.database.read {
            try $0.row("SELECT count(*) FROM key_value")?.integer(0)
        }
        #expect(rows == 600)
        #expect(try await values(after: 3, token: token).isWhole)
        #expect(try await values(after: 5, token: token).isWhole == false)
        #expect(try await values(after: 5, token: token).entries.count == 600)
    }

    @Test func `the number of requests remembered per device is limited`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        for number in 0..<70 {
            _ = try read(try await put(["a": .integer(Int64(number))], token: token))
        }
        let rows = try store.registry.defaultWorld.database.read {
            try $0.row("SELECT count(*) FROM key_value_request")?.integer(0)
        }
        #expect(rows == Limits.keyValueRequestsMax)
    }

    @Test func `a device that only used key values stays known, since an account signed in on it`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        _ = try await put(["a": .integer(1)], token: token)
        _ = await store.send("POST", "/sandbox/device/v1/sign-out", token: token)
        store.move(byMilliseconds: 2 * Limits.tokenMilliseconds)
        for _ in 0..<3 { _ = try await store.register(guid: UUID().uuidString) }
        let devices = try store.registry.defaultWorld.database.read {
            try $0.row("SELECT count(*) FROM device WHERE guid = '\(TestStore.guid)'")?.integer(0)
        }
        #expect(devices == 1)
    }

    @Test func `the shop owner can see an account's values`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        _ = try await put(["a": .string("four"), "b": nil], token: token)
        let path = "/control/v1/apps/\(TestStore.bundleID)/key-values"
        let answer = try await store.control("GET", path + "?account=buyer")
        #expect(
            try WireJSON.decode(AccountKeyValuesBody.self, from: answer.body)
                == AccountKeyValuesBody(
                    account: "buyer", revision: 1, byteCount: 4,
                    entries: [KeyValueBody(key: "a", value: .string("four"))]))
        for (query, status, code) in [
            ("", 400, "badQuery"), ("?account=buyer&environment=x", 400, "badQuery"),
            ("?account=nobody", 404, "accountUnknown"),
            ("?account=buyer&environment=production", 404, "accountUnknown"),
        ] {
            let refused = try await store.control("GET", path + query)
            #expect(refused.status == status)
            #expect(errorCode(refused) == code)
        }
        let foreign = try await store.control(
            "GET", "/control/v1/apps/com.example.none/key-values?account=buyer")
        #expect(errorCode(foreign) == "appUnknown")
    }

    @Test func `a reset removes key values and a snapshot keeps them`() async throws {
        let session = try await store.control(
            "POST", "/control/v1/worlds", body: MakeWorldBody(name: "kept"))
        #expect(session.status == 201)
        try await store.stock(world: "/t/kept")
        let base = "/t/kept/sandbox"
        let token = try await store.signIn(in: base)
        _ = await store.send(
            "PUT", "\(base)/device/v1/key-values", token: token,
            body: try WireJSON.encode(
                ChangeKeyValuesBody(
                    requestId: UUID().uuidString, after: 0, isInitial: false,
                    changes: [KeyValueBody(key: "a", value: .integer(1))])))
        _ = try await store.control(
            "POST", "/control/v1/worlds/kept/snapshots", body: MakeSnapshotBody(name: "s"))
        func count() throws -> Int64? {
            try store.registry.world(try #require(WorldName("kept")))?.database.read {
                try $0.row("SELECT count(*) FROM key_value")?.integer(0)
            }
        }
        _ = try await store.control(
            "POST", "/control/v1/worlds/kept/reset", body: ResetWorldBody(keepCatalogue: true))
        #expect(try count() == 0)
        _ = try await store.control(
            "POST", "/control/v1/worlds/kept/restore", body: RestoreWorldBody(snapshot: "s"))
        #expect(try count() == 1)
    }
}
