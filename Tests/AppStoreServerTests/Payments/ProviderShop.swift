import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import AppStoreServer

/// A store that sells subscriptions to a real account, whose card a scripted provider charges.
struct ProviderShop {
    typealias Fixture = SubscriptionFixture

    let provider: ScriptedProvider
    let shop: SubscriptionFixture

    var store: TestStore { shop.store }

    init(
        at moment: String = "2026-04-01T00:00:00Z", graceDays: Int? = nil, credit: String? = nil,
        folder: TemporaryFolder = TemporaryFolder()
    ) async throws {
        provider = ScriptedProvider()
        shop = try await Fixture(
            at: moment, store: try TestStore(folder: folder, provider: provider), in: .production)
        let grace = try await shop.store.control(
            "PUT", "\(Fixture.app)/grace-period", body: GracePeriodBody(days: graceDays))
        try #require(grace.status == 200)
        if let credit { try await shop.store.topUp(credit) }
    }

    /// Sells turbo and fuel as well, for 2.99; families share all but bronze.
    func sellMore() async throws {
        let imported = await store.send(
            "PUT", "\(Fixture.app)/catalog", token: TestStore.controlToken,
            body: Array(FamilyFixture.catalogue().utf8))
        try #require(imported.status == 200, "\(String(decoding: imported.body, as: UTF8.self))")
    }

    /// Buys, and waits until that is captured.
    @discardableResult
    func buy(_ product: String = Fixture.silver) async throws -> String {
        let sold = try await shop.buy(product).transactionId
        try await store.settlePayments()
        return sold
    }

    func attempt(
        _ product: String, id: String = UUID().uuidString
    ) async throws -> AttemptAnswerBody {
        try await store.realAttempt(product, id: id, token: shop.token)
    }

    /// Moves the clock on, and waits until all that was bought then is captured.
    @discardableResult
    func advance(to moment: String) async throws -> ClockAdvanceBody {
        let advance = try await shop.advance(to: moment)
        try await store.settlePayments()
        return advance
    }

    /// Waits until the newest payment was asked for so often without an answer.
    func unanswered(_ tries: Int64 = 1) async throws {
        try await store.until { try await store.payments().last?.tries == tries }
    }

    /// Lets the real time pass and has the provider asked again.
    func pass(milliseconds: Int64) {
        store.move(byMilliseconds: milliseconds)
        store.registry.defaultWorld.payments?.wake()
    }

    /// Asks twice, as after a lost answer; gives the one answer.
    func refund(
        _ id: String, _ verb: String, _ body: (any Encodable)? = nil
    ) async throws -> RefundBody {
        let path = "/control/v1/refunds/\(id)/\(verb)"
        let first = try await store.control("POST", path, body: body)
        try #require(first.status == 200, "\(String(decoding: first.body, as: UTF8.self))")
        let second = try await store.control("POST", path, body: body)
        #expect(second.body == first.body)
        return try WireJSON.decode(RefundBody.self, from: first.body)
    }

    func revoke(_ id: String) async throws {
        let answer = try await store.control(
            "POST", "/control/v1/transactions/\(id)/revoke", body: RevokeBody(reason: .other))
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        try await store.settlePayments()
    }

    /// What the provider was asked after its first so many requests.
    func asked(after count: Int) -> [String] { Array(provider.asked.dropFirst(count)) }
}
