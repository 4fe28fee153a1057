import Foundation
import StoreModel
import StoreRules
import StoreWire
import TestSupport
import Testing

@testable import AppStoreServer

/// What the doctor and the log say of payments that went wrong.
struct ProviderExaminationTests {
    private let provider = ScriptedProvider()
    private let store: TestStore

    init() throws {
        store = try TestStore(provider: provider)
    }

    /// What the doctor says so many days later, of a copy of the world.
    private func finding(afterDays days: Int64 = 0) throws -> Finding {
        let copy = TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: copy.path + "/worlds", withIntermediateDirectories: true)
        let file = copy.path + "/worlds/default.sqlite"
        try store.registry.defaultWorld.database.copy(to: file)
        let now = TestStore.start.adding(milliseconds: days * 86_400_000)
        return Examination(directory: copy.path, wall: WallClock { now }).payments()
    }

    private func revoke(_ id: String) async throws {
        try await store.control(
            "POST", "/control/v1/transactions/\(id)/revoke", body: RevokeBody(reason: .other)
        ).expectStatus(200)
        try await store.settlePayments()
    }

    /// What the log says of a refund; it is written after the commit.
    private func logged(of refund: PaymentRefundBody) async throws -> String {
        func line() -> String? { store.lines.all.last { $0.contains(refund.refundId) } }
        try await store.until { line() != nil }
        return try #require(line())
    }

    @Test func `a declined void is reported for a month`() async throws {
        let token = try await store.openProduction()
        provider.answerNext([.unknown(why: "lost"), .declined(reason: "captured before")])
        async let first = store.attempt(Samples.fuel, token: token, in: "/production")
        try await store.until { try await store.payments().first?.tries == 1 }
        store.move(byMilliseconds: PaymentRules.authorizationMilliseconds)
        store.registry.defaultWorld.payments?.wake()
        _ = try await first
        try await store.settlePayments()
        let finding = try finding()
        #expect(finding.state == .warning)
        #expect(
            finding.finding
                == "the provider declined to void 1 of 1, for which nothing was sold")
        #expect(try self.finding(afterDays: 31).state == .good)
    }

    @Test func `a declined capture is reported until its purchase is revoked`() async throws {
        let token = try await store.openProduction()
        provider.answerNext([.approved(reference: nil), .declined(reason: "expired")])
        let sold = try await store.buy(Samples.turbo, token: token, in: "/production")
        try await store.settlePayments()
        let path = "/control/v1/refunds/\(sold.transactionId)"
        try await store.control(
            "POST", "\(path)/request", body: RequestRefundBody(reason: .other)
        ).expectStatus(200)
        try await store.control(
            "PUT", "\(path)/consumption",
            body: Consumption(
                customerConsented: true, consumptionPercentage: 50_000, deliveryStatus: .delivered,
                refundPreference: nil, sampleContentProvided: false)
        ).expectStatus(200)
        #expect(try finding().state == .warning)
        // Half of it goes back, and the purchase is gone as a whole.
        try await store.control(
            "POST", "\(path)/grant", body: GrantRefundBody(type: .prorated)
        ).expectStatus(200)
        try await store.settlePayments()
        #expect(try finding().state == .good)
    }

    @Test func `a declined refund is reported and not called captured`() async throws {
        let token = try await store.openProduction()
        let sold = try await store.buy(Samples.fuel, token: token, in: "/production")
        try await store.settlePayments()
        provider.answerNext([.declined(reason: "card closed")])
        try await revoke(sold.transactionId)
        let refund = try #require(try await store.payments().first?.refunds.first)
        let line = try await logged(of: refund)
        #expect(line.contains("paymentFailed") && line.contains("\"state\":\"failed\""), "\(line)")
        let finding = try finding()
        #expect(finding.state == .good)
        #expect(finding.finding.contains("1 refunds were declined and are credit"))
    }

    @Test func `a completed refund is not called captured`() async throws {
        let token = try await store.openProduction()
        let sold = try await store.buy(Samples.fuel, token: token, in: "/production")
        try await store.settlePayments()
        try await revoke(sold.transactionId)
        let refund = try #require(try await store.payments().first?.refunds.first)
        let line = try await logged(of: refund)
        #expect(
            line.contains("paymentChanged") && line.contains("\"state\":\"refunded\""), "\(line)")
        #expect(try finding().finding == "1 asked of a provider, 0 of them on their way")
    }
}
