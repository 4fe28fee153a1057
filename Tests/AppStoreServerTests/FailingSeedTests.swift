import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Seeds with accounts whose renewals fail.
struct FailingSeedTests {
    private static let seed = """
        {"clock":{"mode":"held","now":"2026-03-31T12:00:00Z"},"pace":"calendar",
        "apps":[{"bundleId":"\(TestStore.bundleID)","gracePeriodDays":16,
        "catalogue":\(SubscriptionFixture.catalogue(trial: nil))}],
        "accounts":[{"name":"bought","failsRenewals":true},{"name":"failing","failsRenewals":true},
        {"name":"paying","failsRenewals":false}],
        "subscriptions":[\(state("failing")),\(state("paying"))],
        "purchases":[{"account":"bought","productId":"\(SubscriptionFixture.silver)",
        "at":"2026-01-31T00:00:00Z"}]}
        """

    private static func state(_ account: String) -> String {
        """
        {"account":"\(account)","productId":"\(SubscriptionFixture.silver)","state":"active"}
        """
    }

    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func put(_ text: String, as name: String) async {
        await store.send(
            "PUT", "/control/v1/worlds/\(name)", token: TestStore.controlToken,
            body: Array(text.utf8)
        ).expectStatus(201)
    }

    private func subscriptions(in world: String) async throws -> [String: SubscriptionBody] {
        let answer = try await store.control("GET", "/t/\(world)/control/v1/subscriptions")
        let all = try WireJSON.decode(SubscriptionsBody.self, from: answer.body).subscriptions
        return Dictionary(all.map { ($0.account, $0) }, uniquingKeysWith: { first, _ in first })
    }

    @Test func `renewals are made until the seed's time and fail from then on`() async throws {
        await put(Self.seed, as: "one")
        // An exported world has the state alone.
        let bought = try await subscriptions(in: "one")["bought"]
        #expect(bought?.startDate == moment("2026-03-31T00:00:00Z"))
        let first = try await store.control("GET", "/t/one/control/v1/seed")
        let written = try JSONValue(parsing: first.body)["accounts"]?.array ?? []
        #expect(
            written.filter { $0["failsRenewals"]?.bool == true }.map { $0["name"]?.string }
                == ["bought", "failing"])
        await put(String(decoding: first.body, as: UTF8.self), as: "two")
        let second = try await store.control("GET", "/t/two/control/v1/seed")
        #expect(second.body == first.body)
        for world in ["one", "two"] {
            let before = try await subscriptions(in: world)
            #expect(before.mapValues(\.state).values.allSatisfy { $0 == .active }, "\(world)")
            #expect(before.count == 3, "\(world)")
            try await store.control(
                "PUT", "/t/\(world)/control/v1/clock",
                body: ClockBody(mode: .held, now: moment("2026-05-20T00:00:00Z"))
            ).expectStatus(200)
            let after = try await subscriptions(in: world)
            #expect(
                after.mapValues(\.state)
                    == ["bought": .billingRetry, "failing": .billingRetry, "paying": .active],
                "\(world)")
        }
    }
}
