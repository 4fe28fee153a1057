import Foundation
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

extension TestStore {
    func payments(state: String? = nil) async throws -> [PaymentBody] {
        let answer = try await control(
            "GET", "/control/v1/payments" + (state.map { "?state=\($0)" } ?? ""))
        try #require(answer.status == 200)
        return try WireJSON.decode(PaymentsBody.self, from: answer.body).payments
    }

    /// Posts an attempt of a real account until it is decided, as a device does; each answer comes
    /// after five seconds at most.
    func realAttempt(
        _ product: String, id: String = UUID().uuidString, quantity: Int = 1,
        shown: Int64? = nil, token: String
    ) async throws -> AttemptAnswerBody {
        for _ in 0..<60 {
            let answer = try await attempt(
                product, id: id, quantity: quantity, shown: shown,
                currency: shown.map { _ in "USD" }, token: token, in: "/production")
            try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
            let body = try WireJSON.decode(AttemptAnswerBody.self, from: answer.body)
            if !body.state.isOfProvider { return body }
        }
        Issue.record("the provider's answer does not come")
        throw CancellationError()
    }

    /// Waits until the provider is to be asked nothing more.
    func settlePayments(at place: SourceLocation = #_sourceLocation) async throws {
        try await until(
            {
                try registry.defaultWorld.database.read { try $0.openPaymentCount() } == 0
            }, at: place)
    }

    /// Waits until something is so, for five minutes at most: a fault is found, and holds up no run.
    func until(
        _ isSo: () async throws -> Bool, at place: SourceLocation = #_sourceLocation
    ) async throws {
        let deadline = ContinuousClock.now + .seconds(300)
        while try await !isSo() {
            guard ContinuousClock.now < deadline else {
                Issue.record("what is waited for does not come about", sourceLocation: place)
                throw CancellationError()
            }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    func attemptState(_ id: String) throws -> AttemptState? {
        try registry.defaultWorld.database.read { scope in
            try scope.row("SELECT state FROM attempt WHERE attempt_id = ?1", [.text(id)])
                .flatMap { AttemptState(rawValue: $0.text(0)) }
        }
    }
}
