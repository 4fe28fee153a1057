import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// An account all of whose renewals fail.
struct FailingRenewalsTests {
    private typealias Fixture = SubscriptionFixture

    private func set(_ fails: Bool?, _ fixture: SubscriptionFixture) async throws -> AccountBody {
        let answer = try await fixture.store.control(
            "POST", "/control/v1/accounts/settings",
            body: AccountSettingsBody(name: "buyer", failsRenewals: fails))
        answer.expectStatus(200)
        return try WireJSON.decode(AccountBody.self, from: answer.body)
    }

    @Test func `every renewal fails while it is on, and the next try pays once it is off`()
        async throws
    {
        let fixture = try await SubscriptionFixture(at: "2026-03-31T00:00:00Z")
        let bought = try await fixture.buy().transactionId
        #expect(try await set(true, fixture).failsRenewals)
        #expect(try await set(nil, fixture).failsRenewals, "an absent member leaves it as it is")
        try await fixture.advance(to: "2026-05-10T00:00:00Z")
        let owed = try await fixture.show(bought)
        #expect(owed.state == .billingRetry && owed.autoRenews && !owed.failsBilling)
        #expect(owed.transactionId == bought)
        #expect(try await !set(false, fixture).failsRenewals)
        #expect(try await fixture.show(bought).state == .billingRetry, "nothing is tried at once")
        let next = try #require(owed.nextPaymentDate)
        try await fixture.advance(to: CalendarDate(next).rfc3339)
        let paid = try await fixture.show(bought)
        #expect(paid.state == .active && paid.startDate == next)
        #expect(try fixture.events() == ["purchased", "renewalFailed", "renewed"])
    }

    @Test func `an app with a grace period serves it first`() async throws {
        let fixture = try await SubscriptionFixture(at: "2026-03-31T00:00:00Z")
        try await fixture.store.control(
            "PUT", "\(Fixture.app)/grace-period", body: GracePeriodBody(days: 3)
        ).expectStatus(200)
        let bought = try await fixture.buy().transactionId
        _ = try await set(true, fixture)
        try await fixture.advance(to: "2026-05-01T00:00:00Z")
        #expect(try await fixture.show(bought).state == .gracePeriod)
        try await fixture.advance(to: "2026-05-04T00:00:00Z")
        #expect(try await fixture.show(bought).state == .billingRetry)
        try await fixture.advance(to: "2026-08-01T00:00:00Z")
        let ended = try await fixture.show(bought)
        #expect(ended.state == .expired && ended.expirationReason == 2)
    }

    @Test func `purchases and renewals of others go on`() async throws {
        let fixture = try await SubscriptionFixture(at: "2026-03-31T00:00:00Z")
        _ = try await set(true, fixture)
        // A purchase by hand is none of it.
        let own = try await fixture.buy().transactionId
        try await fixture.store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "other", password: nil, storefront: nil)
        ).expectStatus(201)
        let answer = try await fixture.store.control(
            "POST", "/control/v1/purchases",
            body: MakePurchaseBody(
                attemptId: "0F8FAD5B-D9CB-469F-A165-70867728950E", account: "other",
                bundleId: TestStore.bundleID, productId: Fixture.silver))
        let other = try #require(
            try WireJSON.decode(AttemptAnswerBody.self, from: answer.body).transaction)
        try await fixture.advance(to: "2026-05-01T00:00:00Z")
        #expect(try await fixture.show(own).state == .billingRetry)
        #expect(try await fixture.show(other.transactionId).state == .active)
    }

    @Test func `a renewal that is asked for fails, too`() async throws {
        let fixture = try await SubscriptionFixture(at: "2026-03-31T00:00:00Z")
        let bought = try await fixture.buy().transactionId
        _ = try await set(true, fixture)
        try await fixture.advance(to: "2026-04-10T00:00:00Z")
        let renewed = try await fixture.change(bought, "renew")
        #expect(renewed.state == .billingRetry)
        #expect(renewed.expiresDate == Timestamp(rfc3339: "2026-04-10T00:00:00Z"))
    }
}
