import Foundation
import StoreModel
import StoreRules
import StoreWire
import Testing

@testable import AppStoreServer

/// Accounts whose payments are declined again and again.
struct DeclinedAccountTests {
    private let provider = ScriptedProvider()
    private let store: TestStore

    init() throws {
        store = try TestStore(provider: provider)
    }

    private func attempt(token: String) async throws -> AttemptAnswerBody {
        let response = try await store.attempt(Samples.fuel, token: token, in: "/production")
        try #require(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
        return try WireJSON.decode(AttemptAnswerBody.self, from: response.body)
    }

    private func decline(_ count: Int) {
        provider.answerNext(Array(repeating: .declined(reason: nil), count: count))
    }

    @Test func `after too many declined purchases the refusal states the missing thousandths`()
        async throws
    {
        let token = try await store.openProduction()
        try await store.topUp("0.985")
        decline(Limits.declinedPaymentsMax)
        for _ in 0..<Limits.declinedPaymentsMax {
            #expect(try await attempt(token: token).refusal?.code == .paymentDeclined)
        }
        #expect(provider.asked.first == "authorize 10")
        let refused = try await attempt(token: token).refusal
        #expect(refused?.code == .insufficientCredit)
        #expect(refused?.message.contains("0.005 USD") == true, "\(refused?.message ?? "")")
    }

    @Test func `concurrent attempts reach the provider no more often than consecutive ones`()
        async throws
    {
        let token = try await store.openProduction()
        decline(100)
        provider.hold()
        let attempts = (0..<50).map { _ in
            Task { try await attempt(token: token).refusal?.code }
        }
        // Those beyond the limit are answered while nobody knows yet what the others come to.
        try await store.until {
            let count = try refusedCount()
            return count == 50 - Limits.declinedPaymentsMax
        }
        provider.letGo()
        for attempt in attempts { _ = try await attempt.value }
        try await store.settlePayments()
        #expect(provider.asked.count == Limits.declinedPaymentsMax)
        #expect(try await attempt(token: token).refusal?.code == .insufficientCredit)
    }

    @Test func `interrupted purchases reach the provider no more often than the limit either`()
        async throws
    {
        let token = try await store.openProduction()
        func interrupt(_ isOn: Bool) async throws {
            let set = try await store.control(
                "POST", "/control/v1/accounts/settings",
                body: AccountSettingsBody(
                    environment: .production, name: "payer", interruptsPurchases: isOn))
            try #require(set.status == 200)
        }
        try await interrupt(true)
        let count = Limits.declinedPaymentsMax + 5
        for _ in 0..<count { _ = try await attempt(token: token) }
        try await interrupt(false)
        decline(count)
        let resolved = try await store.control(
            "POST", "/control/v1/accounts/resolve",
            body: NamedAccountBody(environment: .production, name: "payer"))
        #expect(resolved.status == 200)
        try await store.settlePayments()
        #expect(provider.asked.count == Limits.declinedPaymentsMax)
    }

    private func refusedCount() throws -> Int {
        try store.registry.defaultWorld.database.read { scope in
            try scope.rows("SELECT 1 FROM attempt WHERE state = 'refused'").count
        }
    }
}
