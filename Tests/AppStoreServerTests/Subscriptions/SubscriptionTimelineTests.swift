import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// A subscription's past, and what is said to come next.
struct SubscriptionTimelineTests {
    private typealias Fixture = SubscriptionFixture

    private func timeline(
        _ original: String, _ fixture: SubscriptionFixture, after: String = "0"
    ) async throws -> SubscriptionTimelineBody {
        let answer = try await fixture.store.control(
            "GET", "/control/v1/subscriptions/\(original)/timeline?after=\(after)")
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try WireJSON.decode(SubscriptionTimelineBody.self, from: answer.body)
    }

    private func steps(_ timeline: SubscriptionTimelineBody) -> [String] {
        timeline.next.map { step in
            let price = step.priceMilliunits.map { " \($0) \(step.currency ?? "")" } ?? ""
            let reason = step.expirationReason.map { " \($0)" } ?? ""
            return "\(CalendarDate(step.at).rfc3339.prefix(10)) \(step.kind)\(price)\(reason)"
        }
    }

    @Test func `the timeline has every period and event of the one subscription`() async throws {
        let fixture = try await Fixture(at: "2026-01-31T10:00:00Z")
        let id = try await fixture.buy().transactionId
        try await fixture.advance(to: "2026-03-05T00:00:00Z")
        try await fixture.change(id, "cancel")
        let body = try await timeline(id, fixture)
        #expect(body.subscription == (try await fixture.show(id)))
        #expect(body.periods.map(\.sold.originalTransactionId) == [id, id])
        #expect(body.periods.first?.sold.transactionId == id)
        #expect(body.periods.last?.sold.transactionId == body.subscription.transactionId)
        #expect(body.events.map(\.kind) == ["purchased", "renewed", "renewalChanged"])
        #expect(body.older == nil)
        #expect(steps(body) == ["2026-03-31 expiry 1"])
    }

    @Test func `a long timeline comes in pages, each period and event once`() async throws {
        let fixture = try await Fixture(at: "2026-01-31T10:00:00Z")
        let id = try await fixture.buy().transactionId
        for _ in 0..<150 {
            try await fixture.change(id, "cancel")
            try await fixture.change(id, "resume")
        }
        var pages = [try await timeline(id, fixture)]
        while let older = pages.last?.older {
            pages.append(try await timeline(id, fixture, after: older))
        }
        #expect(pages.map(\.events.count) == [200, 101])
        #expect(pages.map(\.periods.count) == [1, 0])
        let numbers = pages.reversed().flatMap(\.events).map(\.number)
        #expect(numbers == numbers.sorted() && Set(numbers).count == 301)
        try await fixture.advance(to: "2048-01-31T10:00:00Z")
        pages = [try await timeline(id, fixture)]
        while let older = pages.last?.older {
            pages.append(try await timeline(id, fixture, after: older))
        }
        #expect(pages.map(\.periods.count) == [200, 65, 0])
        #expect(pages.map(\.events.count) == [200, 200, 165])
        #expect(pages[0].next == pages[1].next)
    }

    @Test(arguments: ["", "x", "1", "-1-1", "1-1-1", "12345678901234567-1", "1- 1"])
    func `a place that no page gave is refused`(after: String) async throws {
        let fixture = try await Fixture()
        let id = try await fixture.buy().transactionId
        let escaped = after.replacing(" ", with: "%20")
        let answer = try await fixture.store.control(
            "GET", "/control/v1/subscriptions/\(id)/timeline?after=\(escaped)")
        #expect(answer.status == 400 && errorCode(answer) == "badQuery")
    }

    @Test func `an unknown subscription has no timeline`() async throws {
        let fixture = try await Fixture()
        for id in ["1", "x", "01"] {
            let answer = try await fixture.store.control(
                "GET", "/control/v1/subscriptions/\(id)/timeline")
            #expect(answer.status == 404 && errorCode(answer) == "subscriptionUnknown")
        }
    }

    @Test func `with a free trial, the first renewal is at the full price`() async throws {
        let fixture = try await Fixture(at: "2026-04-01T00:00:00Z", trial: Fixture.freeWeek)
        let id = try await fixture.buy().transactionId
        #expect(
            steps(try await timeline(id, fixture)) == [
                "2026-04-08 renewal 9990 USD", "2026-05-08 renewal 9990 USD",
                "2026-06-08 renewal 9990 USD", "2026-07-08 renewal 9990 USD",
            ])
    }

    @Test func `a price that begins later is said of the renewals from then on`() async throws {
        let fixture = try await Fixture(at: "2026-01-31T10:00:00Z")
        let id = try await fixture.buy().transactionId
        let from = try #require(Timestamp(rfc3339: "2026-03-15T00:00:00Z"))
        let answer = try await fixture.store.control(
            "POST", "\(Fixture.app)/products/\(Fixture.silver)/price-schedule",
            body: AddPriceBody(storefront: "USA", price: "4.99", from: from))
        try #require(answer.status == 201)
        let said = steps(try await timeline(id, fixture))
        #expect(
            said.prefix(3) == [
                "2026-02-28 renewal 9990 USD", "2026-03-31 renewal 4990 USD",
                "2026-04-30 renewal 4990 USD",
            ])
        try await fixture.advance(to: "2026-04-01T00:00:00Z")
        let now = try await timeline(id, fixture)
        #expect(now.periods.map(\.sold.priceMilliunits) == [9_990, 9_990, 4_990])
        #expect(now.subscription.next == now.next.first)
    }

    @Test func `the list of an account has its subscriptions alone`() async throws {
        let fixture = try await Fixture()
        let id = try await fixture.buy().transactionId
        func listed(_ query: String) async throws -> [String] {
            let answer = try await fixture.store.control(
                "GET", "/control/v1/subscriptions?\(query)")
            try #require(answer.status == 200)
            return try WireJSON.decode(SubscriptionsBody.self, from: answer.body)
                .subscriptions.map(\.originalTransactionId)
        }
        let own = try await fixture.show(id)
        try await fixture.store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "other", password: nil, storefront: nil)
        ).expectStatus(201)
        #expect(try await listed("account=\(own.account)") == [id])
        #expect(try await listed("account=\(own.account)&after=\(id)") == [])
        #expect(try await listed("account=other&environment=sandbox") == [])
        for (query, status) in [
            ("account=nobody", 404), ("account=\(own.account)&environment=production", 404),
            ("account=\(own.account)&environment=moon", 400),
        ] {
            let answer = try await fixture.store.control(
                "GET", "/control/v1/subscriptions?\(query)")
            #expect(answer.status == status, "\(query)")
        }
    }

    @Test(arguments: [nil, "cancel", "fail-billing"])
    func `what is said to come next is what happens`(change: String?) async throws {
        let fixture = try await Fixture(at: "2026-01-31T10:00:00Z")
        let id = try await fixture.buy().transactionId
        if let change { try await fixture.change(id, change) }
        let said = try await timeline(id, fixture)
        #expect(!said.next.isEmpty)
        for step in said.next {
            try await fixture.advance(to: CalendarDate(step.at).rfc3339)
            let now = try await timeline(id, fixture)
            switch step.kind {
            case .renewal:
                #expect(now.periods.last?.sold.purchasedAt == step.at.milliseconds)
                #expect(now.periods.last?.sold.priceMilliunits == step.priceMilliunits)
            case .paymentFailure: #expect(now.subscription.state == .billingRetry)
            case .gracePeriodEnd: Issue.record("the app has no grace period")
            case .expiry:
                #expect(now.subscription.state == .expired)
                #expect(now.subscription.expirationReason == step.expirationReason)
                #expect(now.next.isEmpty)
            }
        }
    }
}
