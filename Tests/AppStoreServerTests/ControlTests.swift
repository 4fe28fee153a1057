import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import AppStoreServer

struct ControlTests {
    private let store: TestStore
    private let app = "/control/v1/apps/\(TestStore.bundleID)"

    init() throws {
        store = try TestStore()
    }

    private func importFile(_ text: String) async -> HTTPResponse {
        await store.send(
            "PUT", "\(app)/catalog", token: TestStore.controlToken, body: Array(text.utf8))
    }

    private func listed() async throws -> [CatalogueProductBody] {
        let answer = try await store.control("GET", "\(app)/products")
        return try WireJSON.decode(CatalogueProductsBody.self, from: answer.body).products
    }

    private func offered(token: String) async throws -> [String] {
        let asked = [Samples.turbo, Samples.fuel, "nothing"]
        let answer = await store.send(
            "POST", "/sandbox/device/v1/products", token: token,
            body: try WireJSON.encode(ProductsRequestBody(productIdentifiers: asked, locale: nil)))
        let body = try WireJSON.decode(ProductsAnswerBody.self, from: answer.body)
        let offered = body.products.map(\.productId)
        #expect(body.invalidProductIdentifiers == asked.filter { !offered.contains($0) })
        return offered
    }

    @Test(arguments: [
        ("GET", "/control/v1/worlds"), ("POST", "/control/v1/worlds"),
        ("DELETE", "/control/v1/worlds/x"), ("GET", "/control/v1/clock"),
        ("PUT", "/control/v1/clock"), ("POST", "/control/v1/accounts"),
        ("PUT", "/control/v1/apps/a.b/catalog"), ("GET", "/control/v1/nothing"),
        ("GET", "/control/v1/shop"), ("PUT", "/control/v1/shop"), ("GET", "/control/v1/apps"),
        ("GET", "/control/v1/policy"), ("GET", "/control/v1/apps/a.b/reviews"),
        ("PUT", "/control/v1/apps/a.b/products/p/state"),
        ("POST", "/control/v1/apps/a.b/products/p/price-schedule"),
        ("DELETE", "/control/v1/apps/a.b/products/p/price-schedule/1"),
        ("GET", "/control/v1/developers"), ("POST", "/control/v1/developers/default/secrets"),
        ("GET", "/control/v1/apps/a.b/secrets"), ("DELETE", "/control/v1/apps/a.b/secrets/1"),
    ])
    func `the control API accepts only its own token`(method: String, path: String) async {
        for token in [nil, "", "wrong", TestStore.controlToken + "x"] as [String?] {
            let answer = await store.send(method, path, token: token)
            #expect(answer.status == 401)
            #expect(errorCode(answer) == "controlTokenWrong")
        }
    }

    @Test(arguments: [
        (["Host": "evil.test"], 421, "hostUnknown"),
        (["Host": "localhost", "Origin": "http://evil.test"], 403, "originForeign"),
        (["Host": "shop.test:8080", "Origin": "https://shop.test"], 200, nil),
    ])
    func `control answers to the hosts of its owner, with or without the token`(
        headers: [String: String], status: Int, code: String?
    ) async throws {
        #expect(
            try await store.control("POST", "/control/v1/worlds", body: MakeWorldBody(name: "one"))
                .status == 201)
        for path in ["/control/v1/worlds", "/control/v1/clock", "/t/one/control/v1/clock"] {
            for token in [nil, TestStore.controlToken] {
                let answer = await store.send(
                    "GET", path, token: token, headers: headers.map { ($0, $1) })
                #expect(answer.status == (token == nil && code == nil ? 401 : status))
                #expect(token == nil && code == nil || errorCode(answer) == code)
            }
        }
        if let code {
            // Nor does a foreign page learn which worlds there are.
            let absent = await store.send(
                "GET", "/t/absent/control/v1/clock", headers: headers.map { ($0, $1) })
            #expect(errorCode(absent) == code)
        }
        let health = await store.send("GET", "/health", headers: headers.map { ($0, $1) })
        #expect(health.status == 200)
    }

    @Test(arguments: [
        ("GET", "/", 404), ("GET", "/nothing", 404), ("GET", "/production", 404),
        ("GET", "/t", 404), ("GET", "/t/absent/sandbox/device/v1/receipt", 404),
        ("GET", "/t/default/sandbox/device/v1/receipt", 404),
        ("GET", "/sandbox/device/v1/register", 405), ("DELETE", "/sandbox/device/v1/receipt", 405),
        ("GET", "/health", 200), ("GET", "/ready", 200),
    ])
    func `every control address answers`(method: String, path: String, status: Int) async {
        #expect(await store.send(method, path).status == status)
    }

    @Test func `exporting gives back the imported file byte for byte`() async throws {
        #expect(await importFile(Samples.catalogue).status == 200)
        let answer = try await store.control("GET", "\(app)/catalog")
        #expect(String(decoding: answer.body, as: UTF8.self) == Samples.catalogue)
    }

    @Test func `a second import changes only what differs and reports it`() async throws {
        _ = await importFile(Samples.catalogue)
        let same = try WireJSON.decode(
            CatalogueImportBody.self, from: await importFile(Samples.catalogue).body)
        #expect(same.added.isEmpty && same.changed.isEmpty && same.removed.isEmpty)
        #expect(same.unchangedCount == 4)
        let changed = try WireJSON.decode(
            CatalogueImportBody.self,
            from: await importFile(Samples.catalogue(fuelPrice: "1.49", withTurbo: false)).body)
        #expect(changed.changed.map(\.productId) == [Samples.fuel])
        #expect(changed.changed.first?.fields == ["displayPrice"])
        #expect(changed.removed == [Samples.turbo])
        #expect(try await listed().map(\.productId).contains(Samples.turbo) == false)
    }

    @Test func `a sold product is taken off sale, never deleted`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        _ = try await store.buy(Samples.turbo, token: token)
        _ = await importFile(Samples.catalogue(fuelPrice: "0.99", withTurbo: false))
        let turbo = try await listed().first { $0.productId == Samples.turbo }
        #expect(turbo?.state == .removedFromSale)
        #expect(try await offered(token: token) == [Samples.fuel])
        let answer = try await store.verify(try await store.receipt(token: token))
        #expect(answer["receipt"]?["in_app"]?.array?.count == 1)
        _ = await importFile(Samples.catalogue)
        #expect(try await offered(token: token) == [Samples.turbo, Samples.fuel])
    }

    @Test func `a sold product cannot change its kind`() async throws {
        try await store.stock()
        _ = try await store.buy(Samples.turbo, token: try await store.signIn())
        let answer = await importFile(
            Samples.catalogue(fuelPrice: "5", turboType: "Consumable"))
        #expect(answer.status == 409)
        #expect(errorCode(answer) == "kindOfSoldProduct")
        #expect(try await listed().first { $0.productId == Samples.fuel }?.price == "0.99")
    }

    @Test func `a broken file changes nothing and the error names the place`() async throws {
        _ = await importFile(Samples.catalogue)
        let answer = await importFile(Samples.catalogue(fuelPrice: "cheap"))
        #expect(answer.status == 422)
        let error = try WireJSON.decode(ErrorBody.self, from: answer.body).error
        #expect(error.code == "badCatalogue")
        #expect(error.message.contains("products[1].displayPrice"))
        let file = try await store.control("GET", "\(app)/catalog")
        #expect(String(decoding: file.body, as: UTF8.self) == Samples.catalogue)
    }

    @Test func `products are approved, held, removed and priced by hand`() async throws {
        try await store.stock(storefront: "JPN")
        let token = try await store.signIn()
        let turbo = "\(app)/products/\(Samples.turbo)"
        for (state, offered) in [
            (SaleState.pendingApproval, false), (.clearedForSale, true), (.removedFromSale, false),
            (.clearedForSale, true),
        ] {
            let answer = try await store.control(
                "PUT", "\(turbo)/state", body: SaleStateBody(state: state))
            #expect(answer.status == 200)
            #expect(try await self.offered(token: token).contains(Samples.turbo) == offered)
        }
        _ = try await store.control("PUT", "\(turbo)/prices/JPN", body: PriceBody(price: "480"))
        let answer = await store.send(
            "POST", "/sandbox/device/v1/products", token: token,
            body: try WireJSON.encode(
                ProductsRequestBody(productIdentifiers: [Samples.turbo], locale: "de_AT")))
        let product = try #require(
            try WireJSON.decode(ProductsAnswerBody.self, from: answer.body).products.first)
        #expect(product.priceMilliunits == 480_000)
        #expect(product.currency == "JPY")
        #expect(product.priceLocale == "ja_JP@currency=JPY")
        #expect(product.localizedTitle == "Turbo DE")
        let imported = await importFile(Samples.catalogue)
        #expect(imported.status == 200)
        #expect(
            try await listed().first { $0.productId == Samples.turbo }?.storefrontPrices == [
                "JPN": "480"
            ])
        _ = try await store.control("PUT", "\(turbo)/prices/JPN", body: PriceBody(price: nil))
        #expect(try await listed().first { $0.productId == Samples.turbo }?.storefrontPrices == [:])
    }

    @Test func `a base price set by hand is the only change in the exported file`()
        async throws
    {
        _ = await importFile(Samples.catalogue)
        let answer = try await store.control(
            "PUT", "\(app)/products/\(Samples.fuel)/price", body: PriceBody(price: "1.29"))
        #expect(answer.status == 200)
        let file = try await store.control("GET", "\(app)/catalog")
        #expect(
            String(decoding: file.body, as: UTF8.self)
                == Samples.catalogue.replacingOccurrences(of: "\"0.99\"", with: "\"1.29\""))
        for price in ["-1", "1.9999", "cheap", ""] {
            let refused = try await store.control(
                "PUT", "\(app)/products/\(Samples.fuel)/price", body: PriceBody(price: price))
            #expect(refused.status == 422)
        }
    }

    @Test func `a device without a signed-in account sees prices of the file's storefront`()
        async throws
    {
        _ = await importFile(
            Samples.catalogue.replacingOccurrences(
                of: "\"_timeRate\" : 0", with: "\"_storefront\" : \"JPN\""))
        let answer = await store.send(
            "POST", "/sandbox/device/v1/products", token: try await store.register(),
            body: try WireJSON.encode(
                ProductsRequestBody(productIdentifiers: [Samples.fuel], locale: nil)))
        let product = try WireJSON.decode(ProductsAnswerBody.self, from: answer.body).products.first
        #expect(product?.currency == "JPY")
    }

    @Test func `prices that the currency cannot express are refused, and rounded from a file`()
        async throws
    {
        let japanese = Samples.catalogue.replacingOccurrences(
            of: "\"_timeRate\" : 0", with: "\"_storefront\" : \"JPN\"")
        let report = await importFile(japanese)
        let changes = try WireJSON.decode(CatalogueImportBody.self, from: report.body)
        let fuel = try #require(changes.rounded.first { $0.productId == Samples.fuel })
        #expect(fuel.price == "0.99" && fuel.charged == "1" && fuel.currency == "JPY")
        #expect(changes.text.contains("rounded: \(Samples.fuel) costs 1 JPY, not 0.99\n"))
        let shown = await store.send(
            "POST", "/sandbox/device/v1/products", token: try await store.register(),
            body: try WireJSON.encode(
                ProductsRequestBody(productIdentifiers: [Samples.fuel], locale: nil)))
        let product = try WireJSON.decode(ProductsAnswerBody.self, from: shown.body).products.first
        #expect(product?.priceMilliunits == 1_000)
        let fuelPath = "\(app)/products/\(Samples.fuel)"
        for (path, price, status) in [
            ("price", "1.99", 422), ("price", "2", 200), ("prices/JPN", "0.5", 422),
            ("prices/DEU", "0.999", 422), ("prices/DEU", "0.99", 200),
        ] {
            let answer = try await store.control(
                "PUT", "\(fuelPath)/\(path)", body: PriceBody(price: price))
            #expect(answer.status == status, "\(path) \(price)")
            if status == 422 { #expect(errorCode(answer) == "badPrice") }
        }
        let again = await importFile(Samples.catalogue)
        #expect(try WireJSON.decode(CatalogueImportBody.self, from: again.body).rounded == [])
    }

    @Test func `worlds are created, kept apart and deleted`() async throws {
        let made = try await store.control(
            "POST", "/control/v1/worlds", body: MakeWorldBody(name: "one"))
        #expect(made.status == 201)
        let taken = try await store.control(
            "POST", "/control/v1/worlds", body: MakeWorldBody(name: "one"))
        #expect(taken.status == 409)
        try await store.stock(world: "/t/one")
        let token = try await store.signIn(in: "/t/one/sandbox")
        let bought = try await store.buy(Samples.fuel, token: token, in: "/t/one/sandbox")
        #expect(bought.transactionId == "2000000000000000")
        let foreign = await store.send("GET", "/sandbox/device/v1/receipt", token: token)
        #expect(foreign.status == 401)
        let list = try WireJSON.decode(
            WorldsBody.self, from: try await store.control("GET", "/control/v1/worlds").body)
        #expect(list.worlds.map(\.name) == ["default", "one"])
        #expect(try await store.control("DELETE", "/control/v1/worlds/one").status == 204)
        #expect(try await store.control("DELETE", "/control/v1/worlds/one").status == 404)
        #expect(try await store.control("DELETE", "/control/v1/worlds/default").status == 409)
        let gone = await store.send("GET", "/t/one/sandbox/device/v1/receipt", token: token)
        #expect(gone.status == 404)
    }

    @Test(arguments: ["", "-a", "a-", "A", "a b", "a/b", "ä", String(repeating: "a", count: 65)])
    func `a world name is limited to plain characters`(name: String) async throws {
        let answer = try await store.control(
            "POST", "/control/v1/worlds", body: MakeWorldBody(name: name))
        #expect(answer.status == 422)
    }

    @Test func `a world deleted under load stays deleted`() async throws {
        for round in 0..<10 {
            let name = "gone-\(round)"
            let base = "/t/\(name)"
            _ = try await store.control(
                "POST", "/control/v1/worlds", body: MakeWorldBody(name: name))
            try await store.stock(world: base)
            let token = try await store.signIn(in: base + "/sandbox")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask { [store] in
                        while true {
                            let answer = await store.send(
                                "GET", "\(base)/sandbox/device/v1/updates?after=0&wait=5",
                                token: token)
                            if answer.status == 404 { return }
                        }
                    }
                    group.addTask { [store] in
                        while true {
                            let answer = try await store.attempt(
                                Samples.fuel, token: token, in: base + "/sandbox")
                            if answer.status == 404 { return }
                        }
                    }
                }
                let deleted = try await store.control("DELETE", "/control/v1/worlds/\(name)")
                #expect(deleted.status == 204)
                try await group.waitForAll()
            }
            let again = try await store.control(
                "POST", "/control/v1/worlds", body: MakeWorldBody(name: name))
            #expect(again.status == 201, "the name is free and stays so")
            _ = try await store.control("DELETE", "/control/v1/worlds/\(name)")
        }
    }

    @Test func `consecutive advances add up, and of two at once one is refused`() async throws {
        let time = try #require(Timestamp(rfc3339: "2031-01-01"))
        _ = try await store.control(
            "PUT", "/control/v1/clock", body: ClockBody(mode: .held, now: time))
        var counted = 0
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask { [store] in
                    try await store.control(
                        "POST", "/control/v1/clock/advance",
                        body: AdvanceClockBody(milliseconds: 1_000)
                    ).status
                }
            }
            for try await status in group {
                #expect(status == 200 || status == 409)
                if status == 200 { counted += 1 }
            }
        }
        let clock = try WireJSON.decode(
            ClockBody.self, from: try await store.control("GET", "/control/v1/clock").body)
        #expect(counted > 0)
        #expect(clock.now == time.adding(milliseconds: Int64(counted) * 1_000))
    }

    @Test func `the clock of a world without sales can go back although prices were set later`()
        async throws
    {
        func hold(_ time: String) async throws -> Int {
            try await store.control(
                "PUT", "/control/v1/clock",
                body: ClockBody(mode: .held, now: Timestamp(rfc3339: time))
            ).status
        }
        let product = "/control/v1/apps/\(TestStore.bundleID)/products/\(Samples.fuel)"
        #expect(try await hold("2031-02-28") == 200)
        try await store.stock()
        for (path, body) in [
            ("/prices/USA", PriceBody(price: "1")),
            ("/state", SaleStateBody(state: .removedFromSale, reason: nil, note: nil)),
            ("/state", SaleStateBody(state: .clearedForSale, reason: nil, note: nil)),
        ] as [(String, any Encodable)] {
            #expect(try await store.control("PUT", product + path, body: body).status == 200)
        }
        #expect(try await hold("2028-02-29") == 200)
        let token = try await store.signIn()
        #expect(
            try await store.buy(Samples.fuel, token: token).purchaseDate
                == Timestamp(rfc3339: "2028-02-29T00:00:00Z"))
        #expect(try await hold("2028-02-28") == 409)
    }

    @Test func `a held clock dates purchases and never goes back behind them`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let time = try #require(Timestamp(rfc3339: "2031-02-28T23:59:59Z"))
        let held = try await store.control(
            "PUT", "/control/v1/clock", body: ClockBody(mode: .held, now: time))
        #expect(held.status == 200)
        #expect(try await store.buy(Samples.fuel, token: token).purchaseDate == time)
        _ = try await store.control(
            "POST", "/control/v1/clock/advance", body: AdvanceClockBody(milliseconds: 1_000))
        #expect(
            try await store.buy(Samples.fuel, token: token).purchaseDate
                == time.adding(milliseconds: 1_000))
        let back = try await store.control(
            "PUT", "/control/v1/clock", body: ClockBody(mode: .held, now: time))
        #expect(back.status == 409)
        #expect(errorCode(back) == "clockWouldGoBack")
        let real = try await store.control(
            "PUT", "/control/v1/clock", body: ClockBody(mode: .real, now: nil))
        #expect(real.status == 409)
    }

    @Test func `a world's clock, history and receipts survive a restart`() async throws {
        let folder = TemporaryFolder()
        var first: TestStore? = try TestStore(folder: folder)
        try await first?.stock()
        let token = try #require(try await first?.signIn())
        let time = try #require(Timestamp(rfc3339: "2031-01-31"))
        _ = try await first?.control(
            "PUT", "/control/v1/clock", body: ClockBody(mode: .held, now: time))
        _ = try await first?.buy(Samples.turbo, token: token)
        let receipt = try await first?.receipt(token: token)
        first?.registry.close()
        first = nil
        let second = try TestStore(folder: folder)
        #expect(try await second.receipt(token: token) == receipt)
        #expect(try await second.buy(Samples.fuel, token: token).purchaseDate == time)
    }
}
