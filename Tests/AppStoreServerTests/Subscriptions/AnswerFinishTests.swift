import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Answers to payments that only changed a renewal: each is finished by itself.
struct AnswerFinishTests {
    private typealias Fixture = SubscriptionFixture

    private static let attempt = "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11"

    private let shop: SubscriptionFixture
    private let period: TransactionBody

    init() async throws {
        shop = try await SubscriptionFixture(at: "2026-04-01T00:00:00Z")
        period = try await shop.buy()
    }

    private func choose(_ product: String = Fixture.bronze) async throws -> TransactionBody {
        let body = AttemptRequestBody(
            attemptId: Self.attempt, productId: product, quantity: 1, applicationUsername: nil)
        let answer = await shop.store.send(
            "POST", "/sandbox/device/v1/attempts", token: shop.token,
            body: try WireJSON.encode(body))
        try #require(answer.status == 200)
        return try #require(
            try WireJSON.decode(AttemptAnswerBody.self, from: answer.body).transaction)
    }

    private func finish(_ attempt: String = attempt, token: String? = nil) async -> HTTPResponse {
        await shop.store.send(
            "POST", "/sandbox/device/v1/attempts/\(attempt)/finish", token: token ?? shop.token)
    }

    private func unfinished() async throws -> [String] {
        let answer = await shop.store.send(
            "GET", "/sandbox/device/v1/transactions", token: shop.token)
        return try WireJSON.decode(UnfinishedBody.self, from: answer.body).transactions
            .map(\.transactionId)
    }

    @Test(arguments: [Fixture.bronze, Fixture.silverYear])
    func `an answer is finished by itself and its period by itself`(product: String) async throws {
        let answer = try await choose(product)
        #expect(answer.transactionId == period.transactionId && answer.isFinished == nil)
        let ofPeriod = await shop.store.send(
            "POST", "/sandbox/device/v1/transactions/\(period.transactionId)/finish",
            token: shop.token)
        #expect(ofPeriod.status == 200)
        #expect(try await choose(product).isFinished == nil, "the period's finish is not its own")
        let finished = await finish()
        #expect(finished.status == 200)
        let body = try WireJSON.decode(FinishAnswerBody.self, from: finished.body)
        #expect(body.transactionId == period.transactionId)
        #expect(try await choose(product).isFinished == true)
        #expect(await finish() == finished, "a repeated request gets the same answer")
    }

    @Test func `finishing an answer leaves its period unfinished`() async throws {
        _ = try await choose()
        #expect(await finish().status == 200)
        #expect(try await unfinished() == [period.transactionId])
        #expect(try await choose().isFinished == true)
    }

    @Test func `an answer whose period was taken back need not be delivered`() async throws {
        _ = try await choose()
        let revoked = try await shop.store.control(
            "POST", "/control/v1/transactions/\(period.transactionId)/revoke",
            body: RevokeBody(reason: .other))
        #expect(revoked.status == 200)
        #expect(try await choose().isFinished == true)
    }

    @Test func `only a device's own answers can be finished`() async throws {
        _ = try await choose()
        let other = try await shop.store.signIn(guid: UUID().uuidString)
        for (attempt, token) in [
            (period.attemptId, shop.token), ("nonsense", shop.token), (Self.attempt, other),
        ] {
            let refused = await finish(attempt, token: token)
            #expect(refused.status == 404 && errorCode(refused) == "attemptUnknown")
        }
        #expect(await finish(token: "nobody").status == 401)
        #expect(try await choose().isFinished == nil)
    }
}
