import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

// What people and the shop's owner do in stories.
extension SubscriptionFixture {
    /// How long who did not pay is served; nil for not at all.
    func serve(graceDays: Int?) async throws {
        try await order("PUT", "\(Self.app)/grace-period", GracePeriodBody(days: graceDays))
    }

    func setState(_ state: SaleState, of product: String) async throws {
        try await order(
            "PUT", "\(Self.app)/products/\(product)/state",
            SaleStateBody(state: state, reason: nil, note: nil))
    }

    func setPrice(_ price: String, of product: String) async throws {
        try await order("PUT", "\(Self.app)/products/\(product)/price", PriceBody(price: price))
    }

    func increasePrice(_ id: String, to price: String, needsConsent: Bool) async throws {
        try await change(
            id, "price-increase",
            body: IncreaseSubscriptionPriceBody(price: price, needsConsent: needsConsent))
    }

    /// The person's answer on the device.
    func answerPrice(_ number: Int, _ verb: String) async throws {
        let answer = await store.send(
            "POST", "\(base)/device/v1/price-consents/\(number)/\(verb)", token: token)
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
    }

    func requestRefund(_ id: String, _ reason: RefundReason) async throws {
        try await order(
            "POST", "/control/v1/refunds/\(id)/request", RequestRefundBody(reason: reason))
    }

    func grantRefund(_ id: String, _ type: RefundType) async throws {
        try await order("POST", "/control/v1/refunds/\(id)/grant", GrantRefundBody(type: type))
    }

    func declineRefund(_ id: String) async throws {
        try await order("POST", "/control/v1/refunds/\(id)/decline")
    }

    func reverseRefund(_ id: String) async throws {
        try await order("POST", "/control/v1/refunds/\(id)/reverse")
    }

    func revoke(_ id: String, _ reason: Revocation.Reason) async throws {
        try await order(
            "POST", "/control/v1/transactions/\(id)/revoke", RevokeBody(reason: reason))
    }

    /// On the fixture's own device, or on another.
    func finish(_ id: String, token other: String? = nil) async throws {
        let answer = await store.send(
            "POST", "\(base)/device/v1/transactions/\(id)/finish", token: other ?? token)
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
    }

    func importCatalogue(_ text: String) async throws {
        let answer = await store.send(
            "PUT", "\(Self.app)/catalog", token: TestStore.controlToken, body: Array(text.utf8))
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
    }

    private func order(
        _ method: String, _ path: String, _ body: (any Encodable)? = nil
    ) async throws {
        let answer = try await store.control(method, path, body: body)
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
    }
}
