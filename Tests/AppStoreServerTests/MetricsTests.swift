import StoreDatabase
import StoreHTTP
import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import AppStoreServer

struct MetricsTests {
    private func scrape(_ store: TestStore) async -> [String: String] {
        let answer = await store.send("GET", "/metrics", token: TestStore.controlToken)
        #expect(answer.status == 200)
        return String(decoding: answer.body, as: UTF8.self).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .reduce(into: [:]) { values, line in
                let place = line.lastIndex(of: " ") ?? line.endIndex
                values[String(line[..<place])] = String(line[place...].dropFirst())
            }
    }

    private func requests(_ method: String, _ route: String, _ status: Int) -> String {
        #"bodega_http_requests_total{method="\#(method)",route="\#(route)",status="\#(status)"}"#
    }

    @Test func `metrics need a token and a known host`() async throws {
        let store = try TestStore()
        #expect(await store.send("GET", "/metrics").status == 401)
        #expect(await store.send("GET", "/metrics", token: "x").status == 401)
        try await store.stock()
        let device = try await store.register()
        #expect(await store.send("GET", "/metrics", token: device).status == 401)
        let foreign = await store.send(
            "GET", "/metrics", token: TestStore.controlToken, headers: [("Host", "evil.test")])
        #expect(foreign.status == 421)
        #expect(await store.send("GET", "/metrics", token: TestStore.metricsToken).status == 200)
        #expect(
            await store.send("GET", "/control/v1/accounts", token: TestStore.metricsToken).status
                == 401)
    }

    @Test func `requests are counted by pattern, never by what a client sent`() async throws {
        let store = try TestStore()
        try await store.stock()
        for number in 1...3 {
            _ = try await store.control("GET", "/control/v1/transactions/\(number)")
            _ = await store.send("GET", "/guess/\(number)")
            _ = await store.send("PATCH", "/sandbox/device/v1/register")
        }
        _ = await store.send("POST", "/production/verifyReceipt", body: Array("{}".utf8))
        let values = await scrape(store)
        #expect(values[requests("GET", "/control/v1/transactions/{id}", 404)] == "3")
        #expect(values[requests("POST", "/production/verifyReceipt", 200)] == "1")
        let durations = "bodega_http_request_duration_seconds"
        let route = #"{method="GET",route="/control/v1/transactions/{id}""#
        #expect(values["\(durations)_count\(route)}"] == "3")
        #expect(values[durations + "_bucket" + route + #",le="+Inf"}"#] == "3")
        #expect(Double(values["\(durations)_sum\(route)}"] ?? "") ?? 0 > 0)
        let never = #"route="/control/v1/families""#
        #expect(values.keys.filter { $0.contains(never) } == [], "a route that nobody asked")
        #expect(values.keys.filter { $0.contains("guess") || $0.contains("PATCH") } == [])
    }

    @Test func `a renewal that cannot be settled is due, and late after a minute`() async throws {
        let fixture = try await SubscriptionFixture(at: "2026-04-01T00:00:00Z")
        _ = try await fixture.buy()
        #expect(await scrape(fixture.store)["bodega_renewals_due"] == "0")
        let database = fixture.store.registry.defaultWorld.database
        try database.write {
            _ = try $0.execute("UPDATE account SET storefront = 'XXX' WHERE name = 'buyer'")
        }
        _ = try await fixture.advance(to: "2026-05-01T00:00:30Z")
        let due = await scrape(fixture.store)
        #expect(due["bodega_renewals_due"] == "1")
        #expect(due["bodega_renewals_late"] == "0")
        #expect(due["bodega_renewals_oldest_age_seconds"] == "30.0")
        _ = try await fixture.advance(to: "2026-05-01T00:02:00Z")
        #expect(await scrape(fixture.store)["bodega_renewals_late"] == "1")
    }

    @Test func `a histogram counts a value at its bound and one beyond all`() {
        let histogram = Histogram(bounds: [1, 10])
        for value in [0, 1, 2, 10, 11] { histogram.count(value) }
        #expect(histogram.figures.counts == [2, 2, 1])
        #expect(histogram.figures.sum == 24)
    }
}
