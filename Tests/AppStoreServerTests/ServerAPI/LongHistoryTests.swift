import StoreHTTP
import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import AppStoreServer

/// Histories that are read apart from the listener's threads, and the places in them.
struct LongHistoryTests {
    private let store: TestStore
    private let api: ServerAPIFixture
    private let sold: [String]
    private let history = "/inApps/v2/history/"

    /// An account with more purchases than a history that is read at once.
    init() async throws {
        store = try TestStore()
        try await store.stock()
        api = try await ServerAPIFixture(of: store)
        let token = try await store.signIn()
        var sold: [String] = []
        for _ in 0..<Limits.quickReceiptPurchasesMax + 5 {
            sold.append(try await store.buy(Samples.fuel, token: token).transactionId)
            store.move(byMilliseconds: 1_000)
        }
        self.sold = sold
    }

    private func numbers(_ body: JSONValue) throws -> [String] {
        try (body["signedTransactions"]?.array ?? []).map { signed in
            let parts = try #require(signed.string).split(separator: ".")
            let payload = try JSONValue(parsing: bytes(ofBase64URL: String(parts[1])))
            return try #require(payload["transactionId"]?.string)
        }
    }

    /// Every page of a list, with the last revision.
    private func pages(
        _ path: String, _ query: String = ""
    ) async throws -> (pages: [[String]], revision: String) {
        var pages: [[String]] = []
        var revision = ""
        while true {
            let place = revision.isEmpty ? "" : "&revision=\(revision)"
            let answer = await api.ask("GET", "\(path)\(sold[0])?\(query)\(place)")
            try #require(answer.status == 200)
            let body = try JSONValue(parsing: answer.body)
            pages.append(try numbers(body))
            revision = try #require(body["revision"]?.string)
            if body["hasMore"]?.bool != true { return (pages, revision) }
        }
    }

    @Test func `a long history has each purchase once, in either order and version`() async throws {
        let full = sold.count / TransactionHistory.pageCountMax
        for (path, query, expected) in [
            (history, "sort=ASCENDING", sold), (history, "sort=DESCENDING", sold.reversed()),
            ("/inApps/v1/history/", "", sold),
        ] {
            let (pages, _) = try await pages(path, query)
            #expect(pages.flatMap(\.self) == expected)
            #expect(pages.prefix(full).allSatisfy { $0.count == TransactionHistory.pageCountMax })
        }
        let (_, kept) = try await pages(history)
        let later = "\(history)\(sold[0])?revision=\(kept)"
        let nothing = await api.ask("GET", later)
        #expect(try numbers(JSONValue(parsing: nothing.body)) == [])
        let token = try await store.signIn()
        let next = try await store.buy(Samples.fuel, token: token).transactionId
        let news = await api.ask("GET", later)
        #expect(try numbers(JSONValue(parsing: news.body)) == [next])
    }

    @Test func `one request for a long history counts once`() async throws {
        let limits = ServerAPILimitsBody(isOn: true, hourlyMax: 1)
        try await store.control("PUT", "/control/v1/server-api/limits", body: limits)
            .expectStatus(200)
        #expect(await api.ask("GET", history + sold[0]).status == 200)
        #expect(await api.ask("GET", history + sold[0]).status == 429)
    }

    @Test func `a long history refuses as a short one does`() async throws {
        let first = history + sold[0]
        #expect(try await api.error("GET", first + "?revision=x") == [400, 4_000_005])
        #expect(try await api.error("GET", first + "?sort=UP") == [400, 4_000_021])
    }

    @Test func `refunds come in pages by their dates, and the older version has the newest fifty`()
        async throws
    {
        let taken = Array(sold.prefix(55).reversed())
        for id in taken {
            try await store.control(
                "POST", "/control/v1/transactions/\(id)/revoke", body: RevokeBody(reason: .issue)
            ).expectStatus(200)
            store.move(byMilliseconds: 1_000)
        }
        let (pages, revision) = try await pages("/inApps/v2/refund/lookup/")
        #expect(pages.map(\.count) == [20, 20, 15])
        #expect(pages.flatMap(\.self) == taken)
        let newest = await api.ask("GET", "/inApps/v1/refund/lookup/\(sold[0])")
        #expect(try numbers(JSONValue(parsing: newest.body)) == taken.suffix(50).reversed())
        // A revision belongs to one list.
        let (_, place) = try await self.pages(history)
        for question in [
            "\(history)\(sold[0])?revision=\(revision)",
            "/inApps/v2/refund/lookup/\(sold[0])?revision=\(place)",
            "\(history)\(sold[0])?revision=\(place)&sort=DESCENDING",
            "\(history)\(sold[0])?revision=\(place)&productType=CONSUMABLE",
        ] {
            #expect(try await api.error("GET", question) == [400, 4_000_005], "\(question)")
        }
    }
}

/// What binds a place in a history.
struct HistoryRevisionTests {
    private let history = "/inApps/v2/history/"

    @Test func `a revision holds over a restart, for its customer alone`() async throws {
        let folder = TemporaryFolder()
        var first = try TestStore(folder: folder)
        try await first.stock()
        let bought = try await first.buy(Samples.fuel, token: try await first.signIn())
            .transactionId
        let key = try WireJSON.decode(
            MadeOfferKeyBody.self,
            from: await first.control(
                "POST", "/control/v1/apps/\(TestStore.bundleID)/offer-keys"
            ).body)
        func revision() async throws -> String {
            let api = try ServerAPIFixture(store: first, base: "/sandbox", key: key)
            let answer = await api.ask("GET", history + bought)
            return try #require(JSONValue(parsing: answer.body)["revision"]?.string)
        }
        let kept = try await revision()
        first.registry.close()
        first = try TestStore(folder: folder)
        #expect(try await revision() == kept)
        let api = try ServerAPIFixture(store: first, base: "/sandbox", key: key)
        #expect(await api.ask("GET", "\(history)\(bought)?revision=\(kept)").status == 200)
        try await first.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "other", password: "rocket-fuel-1", storefront: nil)
        ).expectStatus(201)
        let others = try await first.buy(
            Samples.fuel, token: try await first.signIn(account: "other")
        ).transactionId
        #expect(
            try await api.error("GET", "\(history)\(others)?revision=\(kept)") == [400, 4_000_005])
    }
}
