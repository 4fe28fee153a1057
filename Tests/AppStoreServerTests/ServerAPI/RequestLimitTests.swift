import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Limits of requests to the App Store Server API, which an owner switches on.
struct RequestLimitTests {
    private static let path = "/control/v1/server-api/limits"
    private let hour: Int64 = 3_600_000

    private func set(_ isOn: Bool, hourlyMax: Int64? = nil, _ store: TestStore) async throws {
        let body = ServerAPILimitsBody(isOn: isOn, hourlyMax: hourlyMax)
        let answer = try await store.control("PUT", Self.path, body: body)
        try #require(answer.status == 200)
        #expect(try WireJSON.decode(ServerAPILimitsBody.self, from: answer.body) == body)
        let shown = try await store.control("GET", Self.path)
        #expect(shown.body == answer.body)
    }

    @Test func `beyond a limit requests are refused until the hour ends`() async throws {
        let store = try TestStore()
        try await store.stock()
        let api = try await ServerAPIFixture(of: store)
        let production = ServerAPIFixture(store: store, base: "/production", token: api.token)
        let (info, order) = ("/inApps/v1/transactions/1", "/inApps/v1/lookup/M1")
        for _ in 0..<4 { #expect(await api.ask("GET", info).status == 404) }
        try await set(true, hourlyMax: 3, store)
        // Neither a bad token nor what is over the limit counts.
        for status in [404, 401, 404, 404, 429, 429] {
            let token = status == 401 ? "x" : api.token
            let answer = await store.send("GET", api.base + info, token: token)
            #expect(answer.status == status)
            guard status == 429 else { continue }
            let body = try WireJSON.decode(ServerAPIErrorBody.self, from: answer.body)
            #expect(body.errorCode == 4_290_000 && body.errorMessage == "Rate limit exceeded.")
            let now = store.registry.defaultWorld.time.real().milliseconds
            let end = try #require(answer.headers["Retry-After"].flatMap { Int64($0) })
            #expect(end % hour == 0 && end > now && end <= now + hour)
        }
        #expect(await production.ask("GET", info).status == 404)
        // Endpoints with the same limit count together, others for themselves.
        #expect(await api.ask("GET", "/inApps/v2/history/1").status == 429)
        #expect(await api.ask("GET", order).status == 200)
        #expect(await api.ask("GET", "/groups/v1/group/1").status == 501)
        store.move(byMilliseconds: hour)
        let later = try await ServerAPIFixture(of: store)
        #expect(await later.ask("GET", info).status == 404)
        try await set(true, hourlyMax: 1, store)
        #expect(await later.ask("GET", info).status == 404)
        #expect(await later.ask("GET", info).status == 429)
        try await set(false, store)
        #expect(await later.ask("GET", info).status == 404)
    }

    @Test func `a write beyond the limit changes nothing`() async throws {
        let shop = try await SubscriptionFixture()
        let api = try await ServerAPIFixture(of: shop.store)
        let first = try await shop.buy().transactionId
        try await set(true, hourlyMax: 1, shop.store)
        for (name, status) in [("a", 200), ("b", 429)] {
            let answer = await api.ask(
                "PUT", "/inApps/v1/subscriptions/extend/\(first)",
                ["extendByDays": 1, "extendReasonCode": 0, "requestIdentifier": .string(name)])
            #expect(answer.status == status)
        }
        #expect(try shop.events().filter { $0.hasPrefix("extended") } == ["extended a"])
    }

    @Test func `limits of less than one request are refused`() async throws {
        let store = try TestStore()
        let body = ServerAPILimitsBody(isOn: true, hourlyMax: 0)
        let answer = try await store.control("PUT", Self.path, body: body)
        #expect(answer.status == 422 && errorCode(answer) == "badField")
        #expect(store.registry.defaultWorld.requestLimits.settings == RequestLimits.Settings())
    }

    @Test func `each app has its own count, of Apple's number`() {
        let limits = RequestLimits()
        limits.use(RequestLimits.Settings(isOn: true))
        func take(_ app: Int64, _ perSecond: Int64 = 1, at real: Int64 = 0) -> Timestamp? {
            limits.take(
                AppID(app), .sandbox, perSecond: perSecond, at: Timestamp(milliseconds: real))
        }
        for _ in 0..<360 { #expect(take(1) == nil) }
        #expect(take(1) == Timestamp(milliseconds: hour))
        #expect(take(2) == nil)
        #expect(take(1, 10) == nil)
        #expect(take(1, at: hour - 1) == Timestamp(milliseconds: hour))
        #expect(take(1, at: hour) == nil)
        #expect(RequestLimits.hourlyMax(perSecond: 50, in: .production) == 180_000)
    }

    /// Source: Apple, *Identifying rate limits*.
    @Test func `endpoints have Apple's limits`() {
        let limits: [Int64: Set<String>] = [
            50: [
                "getTransactionInfo", "getTransactionHistory", "getTransactionHistoryV1",
                "getAllSubscriptionStatuses", "sendConsumptionInformation",
                "sendConsumptionInformationV1", "getAppTransactionInfo",
                "finishTransactionByServer", "getNotificationHistory",
            ],
            20: ["extendSubscriptionRenewalDate", "setAppAccountToken"],
            10: ["lookUpOrderId", "getRefundHistory", "getRefundHistoryV1"],
            1: [
                "extendSubscriptionRenewalDates", "requestTestNotification",
                "getTestNotificationStatus",
            ],
        ]
        let limited = ServerAPIEndpoints.environment.map(\.operation).filter { $0.perSecond != nil }
        let found = Dictionary(grouping: limited, by: { $0.perSecond ?? 0 })
            .mapValues { Set($0.map(\.name)) }
        #expect(found == limits)
    }
}
