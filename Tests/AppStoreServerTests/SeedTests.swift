import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

struct SeedTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    /// Parts of a good seed, each of which a test can replace.
    static func text(
        clock: String = #"{"mode":"held","now":"2026-03-31T12:00:00Z"}"#,
        start: String = "2000000000500000",
        apps: String =
            #"[{"bundleId":"\#(TestStore.bundleID)","catalogue":\#(Samples.catalogue)}]"#,
        accounts: String = """
        [{"name":"buyer","password":"rocket-fuel-1","storefront":"DEU"},
         {"name":"other","password":"rocket-fuel-1"}]
        """,
        purchases: String = """
        [{"account":"buyer","productId":"\(Samples.turbo)","at":"2026-01-31"},
         {"account":"other","productId":"\(Samples.fuel)","at":"2026-02-28T10:00:00Z",
          "quantity":3,"finished":false},
         {"account":"buyer","productId":"\(Samples.fuel)","at":"2026-03-01"}]
        """
    ) -> String {
        """
        {"clock":\(clock),"transactionNumberStart":\(start),"apps":\(apps),
        "accounts":\(accounts),
        "purchases":\(purchases)}
        """
    }

    private func seed(
        _ text: String, as name: String = "one", query: String = ""
    ) async -> HTTPResponse {
        await store.send(
            "PUT", "/control/v1/worlds/\(name)\(query)", token: TestStore.controlToken,
            body: Array(text.utf8))
    }

    private func sold(in name: String) throws -> [String] {
        let known = try #require(WorldName(name))
        let world = try #require(try store.registry.world(known))
        return try world.database.read { scope in
            try scope.rows(
                """
                SELECT store_transaction.id, product_id, quantity, purchased_ms, finished_ms, currency,
                    charged_milliunits, attempt_id, guid
                FROM store_transaction JOIN device ON device.id = device_id ORDER BY
                    store_transaction.id
                """
            ).map { "\($0)" }
        }
    }

    @Test func `a seed creates a world in which its accounts can continue`() async throws {
        let answer = await seed(Self.text())
        answer.expectStatus(201)
        let body = try WireJSON.decode(WorldDetailsBody.self, from: answer.body)
        #expect(body.apps == 1 && body.products == 4 && body.accounts == 2)
        #expect(body.transactions == 3 && body.devices == 2)
        let base = "/t/one/sandbox"
        let token = try await store.signIn(account: "other", in: base)
        let waiting = await store.send("GET", "\(base)/device/v1/transactions", token: token)
        let list = try WireJSON.decode(UnfinishedBody.self, from: waiting.body).transactions
        #expect(list.map(\.transactionId) == ["2000000000500001"])
        #expect(list.first?.quantity == 3)
        let mine = try await store.signIn(guid: UUID().uuidString, in: base)
        let receipt = try await store.verify(
            try await store.receipt(token: mine, in: base), at: base)
        let bought = receipt["receipt"]?["in_app"]?.array ?? []
        #expect(bought.compactMap { $0["product_id"]?.string } == [Samples.turbo])
        #expect(bought.first?["purchase_date"]?.string == "2026-01-31 00:00:00 Etc/GMT")
        #expect(receipt["receipt"]?["request_date"]?.string == "2026-03-31 12:00:00 Etc/GMT")
        #expect(
            try await store.buy(Samples.fuel, token: mine, in: base).transactionId
                == "2000000000500003")
    }

    @Test(arguments: [true, false])
    func `the same seed file gives the same world`(withStart: Bool) async throws {
        let text = withStart ? Self.text() : Self.text(start: "null")
        await seed(text, as: "one").expectStatus(201)
        await seed(text, as: "two").expectStatus(201)
        let first = try sold(in: "one")
        #expect(first.count == 3)
        #expect(try sold(in: "two") == first)
        await seed(Self.text(start: "2000000000700000"), as: "three").expectStatus(201)
        #expect(try sold(in: "three") != first)
    }

    @Test func `a seed replaces a world only when asked to`() async throws {
        try await store.stock()
        let before = store.registry.defaultWorld.id
        #expect(errorCode(await seed(Self.text(), as: "default")) == "worldExists")
        #expect(store.registry.defaultWorld.id == before)
        await seed(Self.text(), as: "default", query: "?replace=true").expectStatus(201)
        #expect(store.registry.defaultWorld.id != before)
        #expect(try sold(in: "default").count == 3)
        await seed(Self.text(), as: "one", query: "?replace=true").expectStatus(201)
        #expect(errorCode(await seed(Self.text(), query: "?replace=maybe")) == "badQuery")
        #expect(errorCode(await seed(Self.text(), as: "Bad")) == "badName")
    }

    @Test func `an empty seed gives an empty world, and a catalogue may be given as text`()
        async throws
    {
        await seed("{}", as: "empty").expectStatus(201)
        let text = String(decoding: JSONValue.string(Samples.catalogue).compactBytes, as: UTF8.self)
        let apps = #"[{"bundleId":"\#(TestStore.bundleID)","catalogue":\#(text)}]"#
        await seed(Self.text(apps: apps)).expectStatus(201)
        let file = try await store.control(
            "GET", "/t/one/control/v1/apps/\(TestStore.bundleID)/catalog")
        #expect(String(decoding: file.body, as: UTF8.self) == Samples.catalogue)
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        let text: String
        /// What the sentence must hold: the place.
        let place: String

        init(_ text: String, _ place: String) {
            self.text = text
            self.place = place
        }

        var testDescription: String { "\(place) \(text.prefix(50))" }
    }

    private static func account(_ json: String) -> String {
        text(accounts: "[\(json)]", purchases: "[]")
    }

    private static func purchase(_ json: String) -> String { text(purchases: "[\(json)]") }

    private static func fuel(_ more: String) -> String {
        purchase(
            #"{"account":"buyer","productId":"\#(Samples.fuel)","at":"2026-01-01",\#(more)}"#)
    }

    private static let app = TestStore.bundleID

    static let bad: [Bad] = [
        Bad("", "line 1, column 1"), Bad("{", "line 1, column 2"), Bad("[]", "the file: expected"),
        Bad("{\"a\":1}", "line 1, column 6: a: is unknown here"),
        Bad(#"{"apps":[],"apps":[]}"#, "appears twice in one object"),
        Bad(String(repeating: "[", count: 100), "line 1, column"),
        // clock
        Bad(text(clock: "7"), "clock: expected an object"),
        Bad(text(clock: "{}"), "clock.mode: is not"),
        Bad(text(clock: #"{"mode":"fast"}"#), "clock.mode: is not"),
        Bad(text(clock: #"{"mode":7}"#), "clock.mode: expected a string"),
        Bad(text(clock: #"{"mode":"held"}"#), "clock.now: is missing"),
        Bad(text(clock: #"{"mode":"held","now":"soon"}"#), "clock.now: \"soon\" is not a time"),
        Bad(text(clock: #"{"mode":"held","now":"1969-12-31"}"#), "clock.now"),
        Bad(text(clock: #"{"mode":"held","now":"2100-01-01"}"#), "clock.now"),
        Bad(text(clock: #"{"mode":"held","now":"2026-02-30"}"#), "clock.now"),
        Bad(text(clock: #"{"mode":"real","tick":1}"#), "clock.tick: is unknown here"),
        // numbers
        Bad(text(start: "1"), "transactionNumberStart"),
        Bad(text(start: "\"2000000000500000\""), "transactionNumberStart"),
        Bad(text(start: "2000000000500000.5"), "transactionNumberStart"),
        Bad(text(start: "3999999999999999"), "transactionNumberStart"),
        Bad(text(start: "1e99"), "transactionNumberStart"),
        // apps
        Bad(text(apps: "{}"), "apps: expected an array"),
        Bad(text(apps: "[7]"), "apps[0]: expected an object"),
        Bad(text(apps: "[{}]"), "apps[0].bundleId: is missing"),
        Bad(text(apps: #"[{"bundleId":"a/b"}]"#), "apps[0].bundleId"),
        Bad(text(apps: #"[{"bundleId":"a.b"}]"#), "apps[0].catalogue: is missing"),
        Bad(text(apps: #"[{"bundleId":"a.b","catalogue":7}]"#), "apps[0].catalogue: expected"),
        Bad(text(apps: #"[{"bundleId":"a.b","catalogue":"x.storekit"}]"#), "the path of a file"),
        Bad(text(apps: #"[{"bundleId":"a.b","catalogue":"{"}]"#), "apps[0].catalogue: the"),
        Bad(
            text(apps: #"[{"bundleId":"a.b","catalogue":{"products":[{"productID":"x"}]}}]"#),
            "apps[0].catalogue.products[0].type: is missing"),
        Bad(text(apps: #"[{"bundleId":"a.b","catalogue":{},"x":1}]"#), "apps[0].x: is unknown"),
        Bad(
            text(
                apps: #"[{"bundleId":"a.b","catalogue":{}},{"bundleId":"a.b","catalogue":{}}]"#),
            "apps[1].bundleId: is taken by apps[0]"),
        Bad(
            text(apps: "[\(Array(repeating: "{}", count: 101).joined(separator: ","))]"),
            "apps: has 101 items"),
        // accounts
        Bad(account("{}"), "accounts[0].name: is missing"),
        Bad(account(#"{"name":""}"#), "accounts[0].name"),
        Bad(account(#"{"name":"a\u0000b","password":"12345678"}"#), "accounts[0].name"),
        Bad(account(#"{"name":null}"#), "accounts[0].name: is null"),
        Bad(account(#"{"name":"a","password":7}"#), "accounts[0].password: expected a string"),
        Bad(account(#"{"name":"a","password":"short"}"#), "accounts[0].password"),
        Bad(account(#"{"name":"a","password":12345678}"#), "accounts[0].password: expected"),
        Bad(
            account(#"{"name":"a","password":"12345678","storefront":"XXX"}"#),
            "accounts[0].storefront"),
        Bad(
            account(#"{"name":"a","password":"12345678","environment":"moon"}"#),
            "accounts[0].environment"),
        Bad(
            account(#"{"name":"a","password":"12345678","locked":true}"#),
            "accounts[0].locked: is unknown here"),
        Bad(
            account(#"{"name":"a","password":"12345678"},{"name":"a","password":"12345678"}"#),
            "accounts[1].name: is taken by accounts[0]"),
        Bad(
            account(
                (0...100).map { #"{"name":"a\#($0)","password":"password-\#($0)"}"# }
                    .joined(separator: ",")), "accounts[100].password: is one too many"),
        Bad(
            account(Array(repeating: "{}", count: 1_001).joined(separator: ",")),
            "accounts: has 1001 items"),
        // purchases
        Bad(purchase("{}"), "purchases[0].account: is missing"),
        Bad(purchase(#"{"account":"nobody"}"#), "purchases[0].account: is not a test account"),
        Bad(purchase(#"{"account":"buyer"}"#), "purchases[0].at: is missing"),
        Bad(purchase(#"{"account":"buyer","at":"x"}"#), "purchases[0].at"),
        Bad(purchase(#"{"account":"buyer","at":"2026-04-01"}"#), "purchases[0].at: is after"),
        Bad(purchase(#"{"account":"buyer","at":"2026-01-01"}"#), "purchases[0].productId"),
        Bad(
            purchase(#"{"account":"buyer","at":"2026-01-01","productId":"absent"}"#),
            "purchases[0].productId: is not a product"),
        Bad(
            purchase(#"{"account":"buyer","at":"2026-01-01","bundleId":"a.b"}"#),
            "purchases[0].bundleId: is not an app"),
        Bad(fuel(#""quantity":0"#), "purchases[0].quantity"),
        Bad(fuel(#""quantity":11"#), "purchases[0].quantity"),
        Bad(fuel(#""quantity":-1"#), "purchases[0].quantity"),
        Bad(fuel(#""quantity":1.5"#), "purchases[0].quantity: is not a whole number"),
        Bad(fuel(#""quantity":99999999999999999999"#), "purchases[0].quantity"),
        Bad(fuel(#""finished":"yes""#), "purchases[0].finished: expected true or false"),
        Bad(fuel(#""device":"phone""#), "purchases[0].device"),
        Bad(
            fuel(#""applicationUsername":"\#(String(repeating: "x", count: 256))""#),
            "purchases[0].applicationUsername"),
        Bad(fuel(#""note":1"#), "purchases[0].note: is unknown here"),
        Bad(fuel(#""failsBilling":1"#), "purchases[0].failsBilling: expected true or false"),
        Bad(fuel(#""autoRenews":false"#), "purchases[0]: This world has no subscription"),
        // what the rules refuse
        Bad(
            purchase(
                """
                {"account":"buyer","productId":"\(Samples.club)","at":"2026-01-01"},
                {"account":"buyer","productId":"\(Samples.club)","at":"2026-01-01"}
                """), "purchases[1]: You are currently subscribed"),
        Bad(
            purchase(
                #"{"account":"buyer","productId":"\#(Samples.turbo)","at":"2026-01-01","quantity":2}"#
            ), "purchases[0]: The quantity"),
        Bad(
            purchase(
                """
                {"account":"buyer","productId":"\(Samples.fuel)","at":"2026-02-01"},
                {"account":"buyer","productId":"\(Samples.fuel)","at":"2026-01-31"}
                """), "purchases[1].at: is before"),
    ]

    @Test(arguments: bad)
    func `an invalid seed is refused with the place and creates nothing`(bad: Bad) async throws {
        let answer = await seed(bad.text)
        answer.expectStatus(422)
        #expect(errorCode(answer) == "badSeed")
        let said = try WireJSON.decode(ErrorBody.self, from: answer.body).error.message
        #expect(said.contains(bad.place), "\(said)")
        #expect(said.hasPrefix("line "))
        let list = try await store.control("GET", "/control/v1/worlds")
        let names = try WireJSON.decode(WorldsBody.self, from: list.body).worlds.map(\.name)
        #expect(names == ["default"])
    }

    /// The subscriptions of a seed bought on 1 January, once all that is due has been settled.
    private func club(_ members: String, pace: String = "calendar") async throws -> SubscriptionBody
    {
        let text = Self.text(
            apps: """
                [{"bundleId":"\(TestStore.bundleID)","catalogue":\(Samples.catalogue),
                "gracePeriodDays":16,"sharedSecret":"00112233445566778899aabbccddeeff"}]
                """,
            purchases: """
                [{"account":"buyer","productId":"\(Samples.club)","at":"2026-01-20"\(members)}]
                """
        ).replacing("{\"clock\"", with: "{\"pace\":\"\(pace)\",\"clock\"", maxReplacements: 1)
        await seed(text).expectStatus(201)
        let known = try #require(WorldName("one"))
        let world = try #require(try store.registry.world(known))
        while try world.database.read({ try $0.dueCount(until: world.time.now()) }) > 0 {
            try await Task.sleep(for: .milliseconds(5))
        }
        let listed = try await store.control("GET", "/t/one/control/v1/subscriptions")
        let body = try WireJSON.decode(SubscriptionsBody.self, from: listed.body)
        return try #require(body.subscriptions.first)
    }

    @Test(.timeLimit(.minutes(10)))
    func `a seeded subscription renews at the seed's pace and is still active`() async throws {
        let subscription = try await club("")
        #expect(subscription.state == .active && subscription.renewals == 2)
    }

    @Test(
        .timeLimit(.minutes(10)),
        arguments: [
            (#","autoRenews":false"#, "calendar", "expired", Int64(0)),
            (#","failsBilling":true"#, "calendar", "billingRetry", 0),
            ("", "sandboxFiveMinutes", "expired", 12),
        ])
    func `a seeded subscription is in the state that the seed leads to`(
        members: String, pace: String, state: String, renewals: Int64
    ) async throws {
        let subscription = try await club(members, pace: pace)
        #expect("\(subscription.state)" == state)
        #expect(Int64(subscription.renewals) == renewals)
    }

    @Test func `a seeded shared secret is accepted with receipts`() async throws {
        _ = try await club("")
        let path = "/t/one/control/v1/apps/\(TestStore.bundleID)/secrets"
        let secrets = try WireJSON.decode(
            SecretsBody.self, from: try await store.control("GET", path).body
        ).secrets
        #expect(secrets.map(\.state) == [.current])
        let token = try await store.signIn(in: "/t/one/sandbox")
        let receipt = try await store.receipt(token: token, in: "/t/one/sandbox")
        func status(_ password: String) async throws -> Int64? {
            let data = Data(receipt).base64EncodedString()
            let answer = await store.send(
                "POST", "/t/one/sandbox/verifyReceipt",
                body: Array(#"{"receipt-data":"\#(data)","password":"\#(password)"}"#.utf8))
            return try JSONValue(parsing: answer.body)["status"]?.integer
        }
        #expect(try await status("00112233445566778899aabbccddeeff") == 0)
        #expect(try await status("00112233445566778899aabbccddeefe") == 21_004)
    }

    @Test func `a seed truncated anywhere creates nothing`() async throws {
        let whole = Self.text()
        for length in stride(from: 0, to: whole.utf8.count, by: 37) {
            let cut = String(decoding: Array(whole.utf8).prefix(length), as: UTF8.self)
            #expect(errorCode(await seed(cut)) == "badSeed")
        }
        await seed(whole).expectStatus(201)
    }
}
