import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Seeds with prices, credit and subscriptions by their states, and worlds written as seeds.
struct SeedPartsTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private static let app = "com.example.rocketcar"
    private static let gold = app + ".gold"

    /// The catalogue of the guide to states.
    private static let fans: String = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appendingPathComponent("docs/lifecycle/fans.storekit")
        return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }()

    private static let goals = SubscriptionGoal.allCases.map(\.rawValue)

    private static func text(
        app more: String = "", pace: String = "calendar", accounts: String? = nil,
        parts: String = "", catalogue: String = fans
    ) -> String {
        let names = goals.map { #"{"name":"\#($0)","password":"rocket-fuel-1"}"# }
        return """
            {"$schema":"seed.schema.json","clock":{"mode":"held","now":"2026-03-31T12:00:00Z"},
            "pace":"\(pace)","apps":[{"bundleId":"\(app)","gracePeriodDays":16\(more),
            "catalogue":\(catalogue)}],
            "accounts":[\(accounts ?? names.joined(separator: ","))]\(parts)}
            """
    }

    private static let everyState = """
        ,"subscriptions":[
        \(goals.map { #"{"account":"\#($0)","state":"\#($0)"}"# }.joined(separator: ","))]
        """

    private func seed(_ text: String, as name: String = "one") async -> HTTPResponse {
        await store.send(
            "PUT", "/control/v1/worlds/\(name)", token: TestStore.controlToken,
            body: Array(text.utf8))
    }

    private func get<Body: Decodable>(_ type: Body.Type, _ path: String) async throws -> Body {
        try WireJSON.decode(type, from: try await store.control("GET", path).body)
    }

    private func states(in world: String) async throws -> [String: String] {
        let path = "/t/\(world)/control/v1/subscriptions"
        let all = try await get(SubscriptionsBody.self, path).subscriptions
        return Dictionary(
            all.map {
                ($0.account, "\($0.productId.split(separator: ".").last ?? "") \($0.state)")
            }, uniquingKeysWith: { "\($0), \($1)" })
    }

    @Test(arguments: [
        RenewalPace.calendar, .sandboxFiveMinutes, .oneHourIsOneDay, .monthlyRenewalEveryHour,
        .oneRenewalEveryTwoSeconds,
    ])
    func `every state of a subscription is reached at the world's time`(
        pace: RenewalPace
    ) async throws {
        await seed(Self.text(pace: pace.rawValue, parts: Self.everyState)).expectStatus(201)
        #expect(
            try await states(in: "one") == [
                "trial": "magazine active", "active": "gold active", "grace": "gold gracePeriod",
                "retry": "gold billingRetry", "expired": "gold expired",
                "refunded": "gold revoked", "upgraded": "gold active",
            ])
    }

    @Test(arguments: [
        ("magazine", "active"), ("newspaper", "active"), ("comics", "active"),
        ("newspaper", "grace"), ("comics", "retry"), ("magazine", "expired"),
        ("silver.year", "retry"), ("silver.year", "expired"),
    ])
    func `a state is reached by a product with an offer, or a long period`(
        product: String, state: String
    ) async throws {
        let item =
            #"{"account":"\#(state)","productId":"\#(Self.app).\#(product)","state":"\#(state)"}"#
        await seed(Self.text(parts: #","subscriptions":[\#(item)]"#)).expectStatus(201)
        let path = "/t/one/control/v1/subscriptions"
        let body = try #require(
            try await get(SubscriptionsBody.self, path).subscriptions.first)
        let goal = try #require(SubscriptionGoal(rawValue: state))
        #expect(SubscriptionGoal(of: body) == goal)
        #expect(body.productId == "\(Self.app).\(product)")
    }

    @Test(arguments: ["2026-03-15", "2026-03-31", "2026-05-15"])
    func `a short grace period is reached after months of any length`(day: String) async throws {
        let now = "\(day)T12:00:00Z"
        let items = ["grace", "expired"].map {
            #"{"account":"\#($0)","productId":"\#(Self.gold)","state":"\#($0)"}"#
        }
        let text = Self.text(parts: #","subscriptions":[\#(items.joined(separator: ","))]"#)
            .replacing("2026-03-31T12:00:00Z", with: now)
            .replacing(#""gracePeriodDays":16"#, with: #""gracePeriodDays":3"#)
        await seed(text).expectStatus(201)
        #expect(
            try await states(in: "one") == ["grace": "gold gracePeriod", "expired": "gold expired"])
        let all = try await get(SubscriptionsBody.self, "/t/one/control/v1/subscriptions")
        let ended = try #require(all.subscriptions.first { $0.state == .expired })
        // No month's period ends in the last days of March.
        if day != "2026-03-31" {
            #expect(ended.expiresDate == Timestamp(rfc3339: now))
        }
    }

    @Test func `prices apply from the beginning, or from their date on`() async throws {
        let prices = """
            ,"prices":[{"productId":"\(Self.gold)","storefront":"DEU","price":"4.49"},
            {"productId":"\(Self.gold)","storefront":"DEU","price":"5.49","from":"2026-05-01"},
            {"productId":"\(Self.gold)","storefront":"DEU","price":null,"from":"2026-06-01"}]
            """
        let buyer = #"{"name":"a","storefront":"DEU"},{"name":"active"}"#
        let bought =
            #","purchases":[{"account":"a","productId":"\#(Self.gold)","at":"2026-03-30"}]"#
        await seed(Self.text(app: prices, accounts: buyer, parts: bought)).expectStatus(201)
        let schedule = try await get(
            PricesBody.self,
            "/t/one/control/v1/apps/\(Self.app)/products/\(Self.gold)/price-schedule"
        ).prices
        #expect(schedule.map(\.state) == [.inForce, .coming, .coming])
        #expect(schedule.map(\.price) == ["4.49", "5.49", nil])
        let sale = try await get(
            SubscriptionsBody.self, "/t/one/control/v1/subscriptions"
        ).subscriptions.first
        #expect(sale?.priceMilliunits == 4_490)
    }

    @Test func `accounts have their credit, and none needs a password`() async throws {
        let accounts = """
            {"name":"real","environment":"production","storefront":"DEU","credit":"25.50"},
            {"name":"real"}
            """
        await seed(Self.text(accounts: accounts)).expectStatus(201)
        let path = "/t/one/control/v1/accounts/credit?account=real&environment="
        let real = try await get(CreditBody.self, path + "production")
        #expect(real.balances.map(\.milliunits) == [25_500])
        #expect(try await get(CreditBody.self, path + "sandbox").balances.isEmpty)
        let name = try #require(WorldName("one"))
        let world = try #require(try store.registry.world(name))
        #expect(try world.database.read { try $0.rows("SELECT 1 FROM ledger_entry").count } == 1)
    }

    @Test func `a world written as a seed makes a world that is written alike`() async throws {
        let prices = """
            ,"prices":[{"productId":"\(Self.gold)","storefront":"DEU","price":"4.49"},
            {"productId":"\(Self.gold)","storefront":"JPN","price":"900","from":"2026-05-01"}]
            """
        let families = #","families":[{"organiser":"active","members":["trial","grace"]}]"#
        let got = """
            ,"appTransactions":[{"account":"real","originalPurchaseDate":"2026-01-02",
            "originalApplicationVersion":"0.9","originalPlatform":"macOS"}]
            """
        let names = Self.goals.map { #"{"name":"\#($0)","storefront":"DEU"}"# }
        let accounts =
            (names + [
                #"{"name":"real","environment":"production","credit":"5.00"}"#,
                #"{"name":"child","needsApproval":true}"#,
            ]).joined(separator: ",")
        await seed(
            Self.text(
                app: prices, accounts: accounts, parts: Self.everyState + families + got)
        ).expectStatus(201)
        let first = try await store.control("GET", "/t/one/control/v1/seed")
        first.expectStatus(200)
        await seed(String(decoding: first.body, as: UTF8.self), as: "two").expectStatus(201)
        let second = try await store.control("GET", "/t/two/control/v1/seed")
        #expect(
            String(decoding: second.body, as: UTF8.self)
                == String(decoding: first.body, as: UTF8.self))
        var wanted = try await states(in: "one")
        wanted["upgraded"] = "gold active"
        #expect(try await states(in: "two") == wanted)
        let text = String(decoding: first.body, as: UTF8.self)
        #expect(!text.contains("rocket-fuel") && !text.contains("sharedSecret"))
        for part in ["prices", "credit", "families", "appTransactions", "needsApproval"] {
            #expect(text.contains("\"\(part)\""), "\(part)")
        }
    }

    @Test func `purchases are written with their devices, and what was given back`() async throws {
        let purchases = """
            [{"account":"buyer","productId":"\(Samples.turbo)","at":"2026-01-31","refunded":true},
             {"account":"other","productId":"\(Samples.fuel)","at":"2026-02-28T10:00:00Z",
              "quantity":3,"finished":false,"applicationUsername":"me"},
             {"account":"buyer","productId":"\(Samples.season)","at":"2026-03-01",
              "device":"6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11"}]
            """
        await seed(SeedTests.text(purchases: purchases)).expectStatus(201)
        let first = try await store.control("GET", "/t/one/control/v1/seed")
        let written = try JSONValue(parsing: first.body)["purchases"]?.array ?? []
        #expect(
            written.map { $0["productId"]?.string } == [
                Samples.turbo, Samples.fuel, Samples.season,
            ])
        #expect(written.first?["refunded"]?.bool == true)
        #expect(written.dropFirst().first?["applicationUsername"]?.string == "me")
        await seed(String(decoding: first.body, as: UTF8.self), as: "two").expectStatus(201)
        let second = try await store.control("GET", "/t/two/control/v1/seed")
        #expect(second.body == first.body)
    }

    @Test func `a world is not written that is larger than a seed may be`() async throws {
        let purchases = """
            [{"account":"buyer","productId":"\(Samples.turbo)","at":"2026-01-31"},
             {"account":"other","productId":"\(Samples.turbo)","at":"2026-02-28"}]
            """
        await seed(SeedTests.text(purchases: purchases)).expectStatus(201)
        let name = try #require(WorldName("one"))
        let world = try #require(try store.registry.world(name))
        let now = world.time.now()
        func size(bytesMax: Int = .max, salesMax: Int = .max) throws -> Int {
            try world.database.read {
                try SeedExport.seed(
                    of: $0, now: now, realNow: now, bytesMax: bytesMax, salesMax: salesMax
                ).count
            }
        }
        func refusal(bytesMax: Int = .max, salesMax: Int = .max) throws -> String {
            let error = try #require(
                #expect(throws: (any Error).self) {
                    try size(bytesMax: bytesMax, salesMax: salesMax)
                })
            return "\(error)"
        }
        let whole = try size()
        #expect(try size(bytesMax: whole, salesMax: 2) == whole)
        let few = try refusal(salesMax: 1)
        #expect(few.contains("409, ") && few.contains("worldTooLarge"), "\(few)")
        #expect(few.contains("more than 1 sales in the sandbox"))
        #expect(try refusal(bytesMax: whole - 1).contains("more than \(whole - 1) bytes,"))
        #expect(try refusal(bytesMax: 99).contains("more than 99 bytes of catalogues"))
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        let text: String
        let said: String

        var testDescription: String { said }
    }

    private static func subscription(_ json: String) -> String {
        text(parts: #","subscriptions":[\#(json)]"#)
    }

    private static func price(_ json: String) -> String { text(app: #","prices":[\#(json)]"#) }

    static let bad = [
        Bad(text: subscription("{}"), said: "subscriptions[0].account: is missing"),
        Bad(
            text: subscription(#"{"account":"nobody","state":"active"}"#),
            said: "subscriptions[0].account: is not a test account"),
        Bad(
            text: subscription(#"{"account":"active","state":"late"}"#),
            said: "subscriptions[0].state: is not trial, active"),
        Bad(
            text: subscription(#"{"account":"active","state":"active","at":"2026-01-01"}"#),
            said: "subscriptions[0].at: is unknown here"),
        Bad(
            text: subscription(#"{"account":"active","state":"active","productId":"x"}"#),
            said: "subscriptions[0].productId: is not a subscription of"),
        Bad(
            text: subscription(#"{"account":"active","state":"trial","productId":"\#(gold)"}"#),
            said: "subscriptions[0].productId: is not a subscription with a free trial"),
        Bad(
            text: subscription(
                #"{"account":"active","state":"active"},{"account":"active","state":"expired"}"#),
            said: "subscriptions[1].account: subscribes to this group already"),
        Bad(
            text: subscription(#"{"account":"active","state":"grace"}"#).replacing(
                #""gracePeriodDays":16,"#, with: ""),
            said: "subscriptions[0].state: needs gracePeriodDays"),
        Bad(
            text: text(
                accounts: #"{"name":"active","needsApproval":true}"#,
                parts: #","subscriptions":[{"account":"active","state":"active"}]"#),
            said: "subscriptions[0]: It waits for an approval"),
        Bad(
            text: text(
                parts: """
                    ,"purchases":[{"account":"active","productId":"\(gold)","at":"2026-01-20"}],
                    "subscriptions":[{"account":"active","state":"expired"}]
                    """), said: "subscriptions[0]: "),
        Bad(text: price("{}"), said: "apps[0].prices[0].productId: is missing"),
        Bad(
            text: price(#"{"productId":"x","storefront":"DEU","price":"1"}"#),
            said: "apps[0].prices[0].productId: is not a product"),
        Bad(
            text: price(#"{"productId":"\#(gold)","storefront":"DE","price":"1"}"#),
            said: "apps[0].prices[0].storefront"),
        Bad(
            text: price(#"{"productId":"\#(gold)","storefront":"JPN","price":"1.50"}"#),
            said: "apps[0].prices[0].price"),
        Bad(
            text: price(#"{"productId":"\#(gold)","storefront":"DEU"}"#),
            said: "apps[0].prices[0].price: is missing"),
        Bad(
            text: price(
                #"{"productId":"\#(gold)","storefront":"DEU","price":"1","from":"2026-03-31"}"#),
            said: "apps[0].prices[0].from: is not after"),
        Bad(
            text: price(
                """
                {"productId":"\(gold)","storefront":"DEU","price":"1","from":"2026-05-01"},
                {"productId":"\(gold)","storefront":"DEU","price":"2","from":"2026-05-01"}
                """), said: "apps[0].prices[1]: Another price of that storefront begins"),
        Bad(
            text: text(accounts: #"{"name":"a","credit":25}"#),
            said: "accounts[0].credit: expected a string"),
        Bad(
            text: text(accounts: #"{"name":"a","credit":"0"}"#),
            said: "accounts[0].credit: is not an amount"),
    ]

    @Test(arguments: bad)
    func `a part that cannot be is refused with its place, and nothing is made`(
        bad: Bad
    ) async throws {
        let answer = await seed(bad.text)
        answer.expectStatus(422)
        let said = try WireJSON.decode(ErrorBody.self, from: answer.body).error.message
        #expect(said.contains(bad.said), "\(said)")
        #expect(try await get(WorldsBody.self, "/control/v1/worlds").worlds.count == 1)
    }

    /// Where an object of each schema is in a seed, with a name that nobody knows.
    static let places = [
        ("Seed", #"{"?":1}"#), ("SeedClock", #"{"clock":{"mode":"real","?":1}}"#),
        ("SeedApp", #"{"apps":[{"?":1}]}"#), ("SeedAccount", #"{"accounts":[{"?":1}]}"#),
        ("SeedPrice", text(app: #","prices":[{"?":1}]"#)),
        ("SeedAppTransaction", #"{"appTransactions":[{"?":1}]}"#),
        ("SeedFamily", #"{"families":[{"?":1}]}"#),
        ("SeedPurchase", #"{"purchases":[{"?":1}]}"#),
        ("SeedSubscription", #"{"subscriptions":[{"?":1}]}"#),
    ]

    @Test(arguments: places)
    func `the schema knows the very names that the reader knows`(
        schema: String, text: String
    ) async throws {
        let described = try #require(SeedEndpoints.schemas.first { $0.key == schema }?.value)
        let names = try #require(described["properties"]?.object).map(\.key).sorted()
        #expect(described["additionalProperties"]?.bool == false)
        let answer = await seed(text)
        let said = try WireJSON.decode(ErrorBody.self, from: answer.body).error.message
        let known = try #require(said.split(separator: "the known keys are ").last)
        #expect(known.split(separator: ", ").map(String.init) == names, "\(said)")
        let tried = SeedEndpoints.schemas.map(\.key).filter { $0 != "SeedTime" }
        #expect(Set(tried) == Set(Self.places.map(\.0)))
    }
}
