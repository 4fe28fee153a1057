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

    @Test func `what is lacking is told to the thousandth`() async throws {
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
}
