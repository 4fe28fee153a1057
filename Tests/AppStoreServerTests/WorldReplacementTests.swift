import StoreDatabase
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// What a world takes over from the one whose place it takes.
struct WorldReplacementTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func worlds(
        _ method: String, _ path: String, body: (any Encodable)? = nil
    ) async throws -> HTTPResponse {
        try await store.control(method, "/control/v1/worlds" + path, body: body)
    }

    private func snapshot(_ world: String, _ name: String) async throws -> HTTPResponse {
        try await worlds("POST", "/\(world)/snapshots", body: MakeSnapshotBody(name: name))
    }

    private func restore(_ world: String, _ name: String) async throws -> HTTPResponse {
        try await worlds("POST", "/\(world)/restore", body: RestoreWorldBody(snapshot: name))
    }

    private func number(_ transaction: TransactionBody) throws -> Int64 {
        try #require(Int64(transaction.transactionId))
    }

    /// Puts a seed in the place of a world, if there is one.
    private func seed(_ world: String, start: Int64) async throws {
        let answer = await store.send(
            "PUT", "/control/v1/worlds/\(world)?replace=true", token: TestStore.controlToken,
            body: Array(SeedTests.text(start: "\(start)").utf8))
        answer.expectStatus(201)
    }

    @Test(arguments: WorldUpkeepTests.kinds, ["restore", "reset", "reset all"])
    func `transaction ids continue above all ever issued, also after a seed`(
        world: (String, String), way: String
    ) async throws {
        let base = world.1 + "/sandbox"
        try await seed(world.0, start: 2_000_000_000_900_000)
        try await snapshot(world.0, "s").expectStatus(201)
        let early = try await store.signIn(in: base)
        let sold = try await store.buy(Samples.fuel, token: early, in: base)
        for start in [2_000_000_000_500_000, 2_000_000_000_400_000] as [Int64] {
            try await seed(world.0, start: start)
        }
        let middle = try await store.signIn(in: base)
        let low = try await store.buy(Samples.fuel, token: middle, in: base)
        #expect(low.transactionId == "2000000000400003", "a seed says its own numbers")
        switch way {
        case "restore": try await restore(world.0, "s").expectStatus(200)
        default:
            try await worlds(
                "POST", "/\(world.0)/reset", body: ResetWorldBody(keepCatalogue: way == "reset")
            ).expectStatus(200)
            try await store.stock(world: world.1)
        }
        let late = try await store.signIn(in: base)
        let next = try await store.buy(Samples.fuel, token: late, in: base)
        #expect(try number(next) == number(sold) + 1)
    }

    @Test(arguments: ["restore", "reset", "reset all"])
    func `numbers of app transactions are a seed's own, and go on above all after it`(
        way: String
    ) async throws {
        func next() throws -> Int64 {
            try #require(
                try store.registry.defaultWorld.database.read {
                    try $0.value("SELECT next FROM sequence WHERE name = 'app_transaction'")
                })
        }
        let starts = [2_000_000_000_500_000, 2_000_000_000_400_000] as [Int64]
        try await snapshot("default", "s").expectStatus(201)
        var own: [Int64: Int64] = [:]
        for start in starts + starts {
            try await seed("default", start: start)
            let number = try next()
            #expect(number == own[start, default: number])
            own[start] = number
        }
        // The world before had reached more.
        #expect(try next() < own.values.max() ?? 0)
        switch way {
        case "restore": try await restore("default", "s").expectStatus(200)
        default:
            try await worlds(
                "POST", "/default/reset", body: ResetWorldBody(keepCatalogue: way == "reset")
            ).expectStatus(200)
        }
        #expect(try next() == own.values.max())
    }

    @Test func `a secret revoked after the snapshot stays revoked after a restore`() async throws {
        let path = "/control/v1/developers/default/secrets"
        func states() async throws -> [Bool] {
            let list = try await store.control("GET", path)
            return try WireJSON.decode(SecretsBody.self, from: list.body).secrets
                .map { $0.revokedAt != nil }
        }
        func make() async throws {
            try await store.control(
                "POST", path, body: MakeSecretBody(overlapMilliseconds: 3_600_000)
            ).expectStatus(201)
        }
        try await make()
        try await snapshot("default", "s").expectStatus(201)
        try await make()
        for number in 1...2 {
            try await store.control("DELETE", "\(path)/\(number)").expectStatus(200)
        }
        try await restore("default", "s").expectStatus(200)
        #expect(try await states() == [true])
        // It has the number of one that was revoked, and is another.
        try await make()
        try await restore("default", "s").expectStatus(200)
        #expect(try await states() == [true])
    }

    @Test(arguments: ["restore", "reset", "reset all", "seed"])
    func `a revoked secret stays revoked through restores, resets and seeds`(way: String)
        async throws
    {
        let path = "/control/v1/developers/default/secrets"
        func revoked() async throws -> [Bool] {
            let list = try await store.control("GET", path)
            return try WireJSON.decode(SecretsBody.self, from: list.body).secrets
                .map { $0.revokedAt != nil }
        }
        for _ in 1...2 {
            try await store.control(
                "POST", path, body: MakeSecretBody(overlapMilliseconds: 3_600_000)
            ).expectStatus(201)
        }
        try await snapshot("default", "before").expectStatus(201)
        try await store.control("DELETE", "\(path)/1").expectStatus(200)
        // Twice, so that the one in between knows the revocation only by what it took over.
        for _ in 1...2 {
            switch way {
            case "restore": try await restore("default", "before").expectStatus(200)
            case "seed": try await seed("default", start: 2_000_000_000_500_000)
            default:
                try await worlds(
                    "POST", "/default/reset", body: ResetWorldBody(keepCatalogue: way == "reset")
                ).expectStatus(200)
            }
        }
        try await restore("default", "before").expectStatus(200)
        #expect(try await revoked() == [false, true])
    }

    @Test func `a reset keeps the prices and states shown by a world ahead of real time`()
        async throws
    {
        let ahead = Timestamp(seconds: 1_900_000_000)
        func hold(_ seconds: Int64) async throws {
            try await store.control(
                "PUT", "/control/v1/clock",
                body: ClockBody(mode: .held, now: ahead.adding(milliseconds: seconds * 1_000))
            ).expectStatus(200)
        }
        let fuel = "\(ShopFixture.app)/products/\(Samples.fuel)"
        try await hold(0)
        try await store.stock()
        try await store.control("PUT", fuel + "/prices/USA", body: PriceBody(price: "1"))
            .expectStatus(200)
        for (price, second) in [("4", 300), ("2", 100), ("3", 200)] as [(String, Int64)] {
            try await store.control(
                "POST", fuel + "/price-schedule",
                body: AddPriceBody(
                    storefront: "USA", price: price,
                    from: ahead.adding(milliseconds: second * 1_000))
            ).expectStatus(201)
        }
        try await hold(210)
        try await store.control(
            "PUT", "/control/v1/shop", body: ShopBody(newProducts: nil, delayMilliseconds: 60_000)
        ).expectStatus(200)
        try await store.control(
            "PUT", "\(ShopFixture.app)/products/\(Samples.turbo)/state",
            body: SaleStateBody(state: .removedFromSale, reason: nil, note: nil)
        ).expectStatus(200)
        try await hold(270)
        try await worlds("POST", "/default/reset", body: ResetWorldBody(keepCatalogue: true))
            .expectStatus(200)

        let list = try await store.control("GET", fuel + "/price-schedule")
        let prices = try WireJSON.decode(PricesBody.self, from: list.body).prices
        #expect(prices.map(\.price) == ["1", "4", "2", "3"])
        #expect(prices.map(\.state) == [.replaced, .cancelled, .replaced, .inForce])
        _ = try await store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "buyer", password: "rocket-fuel-1", storefront: "USA"))
        let token = try await store.signIn()
        let shown = await store.send(
            "POST", "/sandbox/device/v1/products", token: token,
            body: try WireJSON.encode(
                ProductsRequestBody(
                    productIdentifiers: [Samples.fuel, Samples.turbo], locale: nil)))
        let products = try WireJSON.decode(ProductsAnswerBody.self, from: shown.body)
        #expect(products.products.map(\.priceMilliunits) == [3_000])
        #expect(products.invalidProductIdentifiers == [Samples.turbo])
    }

    @Test func `a session that cannot be put in place is not created`() async throws {
        let name = try #require(WorldName("fresh"))
        #expect(throws: DatabaseError.self) {
            _ = try store.registry.switching(name) {
                throw DatabaseError(code: .other, detail: "the disk is full")
            }
        }
        try await worlds("GET", "/fresh").expectStatus(404)
        try await worlds("POST", "", body: MakeWorldBody(name: "fresh")).expectStatus(201)
    }
}
